/* SPDX-License-Identifier: MIT */

#define _GNU_SOURCE
#include "CAQCurl.h"

#include "library.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    most_redirections = 10,
    milliseconds_between_checks = 1000,
    // The size of the library's pieces of a body, and so the latency of low bit rates.
    receive_bytes = 16384,
};

struct aq_http {
    const struct curl_library *curl;
    CURL *easy;
    CURLM *multi;
    atomic_bool is_cancelled;
    bool was_stopped;
    aq_http_take_line take_line;
    aq_http_take_bytes take_bytes;
    void *context;
    char failure[CURL_ERROR_SIZE];
};

aq_http *aq_http_create(const char **reason) {
    const struct curl_library *curl = aq_curl_library(reason);
    if (curl == NULL) {
        return NULL;
    }
    aq_http *client = calloc(1, sizeof *client);
    *reason = "out of memory";
    if (client == NULL) {
        return NULL;
    }
    client->curl = curl;
    client->easy = curl->easy_init();
    client->multi = curl->multi_init();
    if (client->easy == NULL || client->multi == NULL) {
        aq_http_free(client);
        return NULL;
    }
    return client;
}

void aq_http_free(aq_http *client) {
    if (client->easy != NULL) {
        client->curl->easy_cleanup(client->easy);
    }
    if (client->multi != NULL) {
        client->curl->multi_cleanup(client->multi);
    }
    free(client);
}

void aq_http_cancel(aq_http *client) {
    atomic_store(&client->is_cancelled, true);
    client->curl->multi_wakeup(client->multi);
}

const char *aq_http_address(aq_http *client) {
    char *address = NULL;
    if (client->curl->easy_get(client->easy, CURLINFO_EFFECTIVE_URL, &address) != CURLE_OK) {
        return NULL;
    }
    return address;
}

const char *aq_http_failure(aq_http *client) { return client->failure; }

static size_t header_arrived(char *bytes, size_t size, size_t count, void *context) {
    aq_http *client = context;
    size_t length = size * count;
    while (length > 0 && (bytes[length - 1] == '\n' || bytes[length - 1] == '\r')) {
        length--;
    }
    if (!client->take_line(client->context, bytes, length)) {
        client->was_stopped = true;
        return 0;
    }
    return size * count;
}

static size_t body_arrived(char *bytes, size_t size, size_t count, void *context) {
    aq_http *client = context;
    if (size * count > 0 && !client->take_bytes(client->context, bytes, size * count)) {
        client->was_stopped = true;
        return 0;
    }
    return size * count;
}

static aq_http_result result_of(CURLcode code) {
    switch (code) {
    case CURLE_OK: return aq_http_complete;
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_URL_MALFORMAT: return aq_http_bad_address;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY: return aq_http_unknown_host;
    case CURLE_COULDNT_CONNECT: return aq_http_not_connected;
    case CURLE_OPERATION_TIMEDOUT: return aq_http_timed_out;
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM: return aq_http_cut;
    case CURLE_TOO_MANY_REDIRECTS: return aq_http_bad_redirection;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS: return aq_http_not_secure;
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_BAD_CONTENT_ENCODING: return aq_http_bad_response;
    default: return aq_http_failed;
    }
}

// Adds a header; keeps the list if memory is short.
static void add_header(const aq_http *client, struct curl_slist **headers, const char *name, const char *value) {
    char line[1024];
    size_t length = strlen(name) + strlen(value);
    if (length >= sizeof line) {
        return;
    }
    strcpy(line, name);
    strcat(line, value);
    struct curl_slist *longer = client->curl->slist_append(*headers, line);
    if (longer != NULL) {
        *headers = longer;
    }
}

static void set_certificates(aq_http *client) {
    static const char *const variables[] = {"CURL_CA_BUNDLE", "SSL_CERT_FILE"};
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *path = secure_getenv(variables[i]);
        if (path != NULL && path[0] != '\0') {
            client->curl->easy_set(client->easy, CURLOPT_CAINFO, path);
            return;
        }
    }
}

static struct curl_slist *prepare(aq_http *client, const aq_http_request *request) {
    const struct curl_library *curl = client->curl;
    CURL *easy = client->easy;
    curl->easy_reset(easy);
    struct curl_slist *headers = NULL;
    add_header(client, &headers, "Accept: ", "*/*");
    if (request->wants_titles) {
        add_header(client, &headers, "Icy-MetaData: ", "1");
    }
    if (request->if_range != NULL) {
        add_header(client, &headers, "If-Range: ", request->if_range);
    }
    // The answer "ICY 200 OK" of old radio servers has no version of HTTP.
    static struct curl_slist icy = {(char *)"ICY 200 OK", NULL};
    curl->easy_set(easy, CURLOPT_HTTP200ALIASES, &icy);
    curl->easy_set(easy, CURLOPT_HTTP09_ALLOWED, 0L);
    curl->easy_set(easy, CURLOPT_URL, request->address);
    curl->easy_set(easy, CURLOPT_HTTPHEADER, headers);
    curl->easy_set(easy, CURLOPT_USERAGENT, request->user_agent);
    curl->easy_set(easy, CURLOPT_RANGE, request->range);
    curl->easy_set(easy, CURLOPT_FOLLOWLOCATION, 1L);
    curl->easy_set(easy, CURLOPT_MAXREDIRS, (long)most_redirections);
    curl->easy_set(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    curl->easy_set(easy, CURLOPT_REDIR_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    curl->easy_set(easy, CURLOPT_NOSIGNAL, 1L);
    curl->easy_set(easy, CURLOPT_TCP_KEEPALIVE, 1L);
    curl->easy_set(easy, CURLOPT_CONNECTTIMEOUT_MS, request->connect_milliseconds);
    curl->easy_set(easy, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl->easy_set(easy, CURLOPT_LOW_SPEED_TIME, request->silent_seconds);
    curl->easy_set(easy, CURLOPT_BUFFERSIZE, (long)receive_bytes);
    curl->easy_set(easy, CURLOPT_ERRORBUFFER, client->failure);
    curl->easy_set(easy, CURLOPT_HEADERFUNCTION, header_arrived);
    curl->easy_set(easy, CURLOPT_HEADERDATA, client);
    curl->easy_set(easy, CURLOPT_WRITEFUNCTION, body_arrived);
    curl->easy_set(easy, CURLOPT_WRITEDATA, client);
    set_certificates(client);
    return headers;
}

// Runs the prepared request; returns false if it was cancelled.
static bool run(aq_http *client, CURLcode *code) {
    const struct curl_library *curl = client->curl;
    int running = 1;
    while (running > 0) {
        if (atomic_load(&client->is_cancelled)) {
            return false;
        }
        if (curl->multi_perform(client->multi, &running) != CURLM_OK) {
            *code = CURLE_OUT_OF_MEMORY;
            return true;
        }
        if (running > 0) {
            curl->multi_poll(client->multi, NULL, 0, milliseconds_between_checks, NULL);
        }
    }
    int left = 0;
    for (CURLMsg *message; (message = curl->multi_info_read(client->multi, &left)) != NULL;) {
        if (message->msg == CURLMSG_DONE) {
            *code = message->data.result;
        }
    }
    return true;
}

aq_http_result aq_http_get(aq_http *client, const aq_http_request *request, aq_http_take_line take_line,
                           aq_http_take_bytes take_bytes, void *context) {
    client->take_line = take_line;
    client->take_bytes = take_bytes;
    client->context = context;
    client->was_stopped = false;
    client->failure[0] = '\0';
    struct curl_slist *headers = prepare(client, request);
    CURLcode code = CURLE_FAILED_INIT;
    bool is_finished = true;
    if (client->curl->multi_add_handle(client->multi, client->easy) == CURLM_OK) {
        is_finished = run(client, &code);
        client->curl->multi_remove_handle(client->multi, client->easy);
    }
    client->curl->easy_set(client->easy, CURLOPT_HTTPHEADER, NULL);
    client->curl->slist_free_all(headers);
    if (!is_finished || client->was_stopped) {
        return aq_http_cancelled;
    }
    if (code != CURLE_OK && client->failure[0] == '\0') {
        strncpy(client->failure, client->curl->easy_strerror(code), sizeof client->failure - 1);
    }
    return result_of(code);
}
