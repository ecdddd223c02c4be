/* SPDX-License-Identifier: MIT */

// The functions of libcurl, loaded on first use.

#ifndef CCURL_LIBRARY_H
#define CCURL_LIBRARY_H

// Options with names instead of numbers need a newer library.
#define CURL_DISABLE_DEPRECATION
#include <curl/curl.h>

struct curl_library {
    __typeof__(&curl_global_init) global_init;
    __typeof__(&curl_easy_init) easy_init;
    // The header defines macros with these names, which check the types of arguments.
    CURLcode (*easy_set)(CURL *, CURLoption, ...);
    CURLcode (*easy_get)(CURL *, CURLINFO, ...);
    __typeof__(&curl_easy_reset) easy_reset;
    __typeof__(&curl_easy_cleanup) easy_cleanup;
    __typeof__(&curl_easy_strerror) easy_strerror;
    __typeof__(&curl_multi_init) multi_init;
    __typeof__(&curl_multi_add_handle) multi_add_handle;
    __typeof__(&curl_multi_remove_handle) multi_remove_handle;
    __typeof__(&curl_multi_perform) multi_perform;
    __typeof__(&curl_multi_poll) multi_poll;
    __typeof__(&curl_multi_wakeup) multi_wakeup;
    __typeof__(&curl_multi_info_read) multi_info_read;
    __typeof__(&curl_multi_cleanup) multi_cleanup;
    __typeof__(&curl_slist_append) slist_append;
    __typeof__(&curl_slist_free_all) slist_free_all;
};

/// Returns NULL if the library cannot be loaded, and then `*reason` is the cause, a string that is never freed.
const struct curl_library *aq_curl_library(const char **reason);

#endif
