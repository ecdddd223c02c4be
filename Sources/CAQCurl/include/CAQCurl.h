/* SPDX-License-Identifier: MIT */

// Requests over HTTP and HTTPS by libcurl, which is loaded on first use.
//
// This module is not linked against libcurl, because most runs of a tool use no network. Its header is required to
// build, its library to make requests: without the library, `aq_http_create` returns the loader's reason.

#ifndef CAQCURL_H
#define CAQCURL_H

#include <stdbool.h>
#include <stddef.h>

/// A client that makes one request at a time, and keeps connections open between requests. Used by one thread at a
/// time, except for `aq_http_cancel`.
typedef struct aq_http aq_http;

/// The reason why a request ended.
typedef enum : unsigned char {
    /// The response is complete.
    aq_http_complete = 0,
    /// `aq_http_cancel` was called, or a callback returned false.
    aq_http_cancelled,
    /// The address is not one of HTTP or HTTPS, or has no valid form.
    aq_http_bad_address,
    /// The server's name is not known.
    aq_http_unknown_host,
    /// No connection was made.
    aq_http_not_connected,
    /// The server sent nothing for the permitted time.
    aq_http_timed_out,
    /// The connection ended before the response was complete.
    aq_http_cut,
    /// More redirections than permitted, or one to an address of another kind.
    aq_http_bad_redirection,
    /// The server's certificate cannot be verified, or encryption failed.
    aq_http_not_secure,
    /// The response is not one of HTTP, or its header is too large.
    aq_http_bad_response,
    /// Another failure.
    aq_http_failed,
} aq_http_result;

/// A request with the method GET.
typedef struct {
    const char *_Nonnull address;
    /// The value of the header `Range` without its unit, such as "0-99"; NULL for none.
    const char *_Nullable range;
    /// The value of the header `If-Range`; NULL for none.
    const char *_Nullable if_range;
    const char *_Nonnull user_agent;
    /// Whether titles are requested from radio stations (`Icy-MetaData: 1`).
    bool wants_titles;
    /// The longest time to connect.
    long connect_milliseconds;
    /// The longest time without data, in seconds.
    long silent_seconds;
} aq_http_request;

/// Takes one line of a response's header, without its line end. Each response of a redirection begins with a status
/// line. Returns false to end the request.
typedef bool (*aq_http_take_line)(void *_Nullable context, const char *_Nonnull line, size_t count);

/// Takes bytes of the body; returns false to end the request.
typedef bool (*aq_http_take_bytes)(void *_Nullable context, const void *_Nonnull bytes, size_t count);

/// Makes a client; NULL if that fails, and then `*reason` is the cause, a string that is never freed.
aq_http *_Nullable aq_http_create(const char *_Nullable *_Nonnull reason);

/// Makes a request, and waits until the response has ended. Follows at most ten redirections.
///
/// Certificates are checked. The file of certificates is the library's, unless `CURL_CA_BUNDLE` or `SSL_CERT_FILE` is
/// in the environment. Proxies are taken from the environment, as by the library.
aq_http_result aq_http_get(aq_http *_Nonnull client, const aq_http_request *_Nonnull request,
                           aq_http_take_line _Nonnull take_line, aq_http_take_bytes _Nonnull take_bytes,
                           void *_Nullable context);

/// Ends the running request, and every later one, with `aq_http_cancelled`. Called from any thread.
void aq_http_cancel(aq_http *_Nonnull client);

/// The address of the response after redirections, valid until the next request; NULL if it is not known. May be called
/// by callbacks.
const char *_Nullable aq_http_address(aq_http *_Nonnull client);

/// The library's description of the last failure, valid until the next request; empty if there is none.
const char *_Nonnull aq_http_failure(aq_http *_Nonnull client);

/// Closes all connections. Not called while a request runs.
void aq_http_free(aq_http *_Nonnull client);

#endif
