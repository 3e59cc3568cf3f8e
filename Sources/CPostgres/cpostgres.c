#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

// Hidden, so that what libpq calls of its own is libpq's and not these. What the system declares must not be.
#pragma GCC visibility push(hidden)
#include "cpostgres.h"
#pragma GCC visibility pop

/// Every function of libpq that is used: its type, name, parameters and arguments.
#define FUNCTIONS(X)                                                                                                    \
    X(PGconn *, PQconnectStartParams, (const char *const *words, const char *const *values, int expand),               \
      (words, values, expand))                                                                                         \
    X(PostgresPollingStatusType, PQconnectPoll, (PGconn * conn), (conn))                                               \
    X(void, PQfinish, (PGconn * conn), (conn))                                                                         \
    X(PQconninfoOption *, PQconninfoParse, (const char *text, char **message), (text, message))                        \
    X(void, PQconninfoFree, (PQconninfoOption * options), (options))                                                   \
    X(ConnStatusType, PQstatus, (const PGconn *conn), (conn))                                                          \
    X(PGTransactionStatusType, PQtransactionStatus, (const PGconn *conn), (conn))                                      \
    X(const char *, PQparameterStatus, (const PGconn *conn, const char *name), (conn, name))                           \
    X(char *, PQerrorMessage, (const PGconn *conn), (conn))                                                            \
    X(int, PQsocket, (const PGconn *conn), (conn))                                                                     \
    X(int, PQsetnonblocking, (PGconn * conn, int value), (conn, value))                                                \
    X(PQnoticeReceiver, PQsetNoticeReceiver, (PGconn * conn, PQnoticeReceiver receiver, void *with),                   \
      (conn, receiver, with))                                                                                          \
    X(int, PQconsumeInput, (PGconn * conn), (conn))                                                                    \
    X(int, PQisBusy, (PGconn * conn), (conn))                                                                          \
    X(int, PQflush, (PGconn * conn), (conn))                                                                           \
    X(PGnotify *, PQnotifies, (PGconn * conn), (conn))                                                                 \
    X(int, PQenterPipelineMode, (PGconn * conn), (conn))                                                               \
    X(int, PQexitPipelineMode, (PGconn * conn), (conn))                                                                \
    X(int, PQpipelineSync, (PGconn * conn), (conn))                                                                    \
    X(int, PQsetSingleRowMode, (PGconn * conn), (conn))                                                                \
    X(int, PQsendQuery, (PGconn * conn, const char *query), (conn, query))                                             \
    X(int, PQsendPrepare, (PGconn * conn, const char *name, const char *query, int count, const Oid *types),           \
      (conn, name, query, count, types))                                                                               \
    X(int, PQsendDescribePrepared, (PGconn * conn, const char *name), (conn, name))                                    \
    X(int, PQsendQueryParams,                                                                                          \
      (PGconn * conn, const char *query, int count, const Oid *types, const char *const *values, const int *lengths,   \
       const int *formats, int format),                                                                                \
      (conn, query, count, types, values, lengths, formats, format))                                                   \
    X(int, PQsendQueryPrepared,                                                                                        \
      (PGconn * conn, const char *name, int count, const char *const *values, const int *lengths, const int *formats,  \
       int format),                                                                                                    \
      (conn, name, count, values, lengths, formats, format))                                                           \
    X(PGresult *, PQgetResult, (PGconn * conn), (conn))                                                                \
    X(void, PQclear, (PGresult * result), (result))                                                                    \
    X(ExecStatusType, PQresultStatus, (const PGresult *result), (result))                                              \
    X(char *, PQresultErrorMessage, (const PGresult *result), (result))                                                \
    X(char *, PQresultErrorField, (const PGresult *result, int code), (result, code))                                  \
    X(char *, PQcmdStatus, (PGresult * result), (result))                                                              \
    X(char *, PQcmdTuples, (PGresult * result), (result))                                                              \
    X(int, PQntuples, (const PGresult *result), (result))                                                              \
    X(int, PQnfields, (const PGresult *result), (result))                                                              \
    X(Oid, PQftype, (const PGresult *result, int column), (result, column))                                            \
    X(int, PQnparams, (const PGresult *result), (result))                                                              \
    X(Oid, PQparamtype, (const PGresult *result, int place), (result, place))                                          \
    X(int, PQgetisnull, (const PGresult *result, int row, int column), (result, row, column))                          \
    X(int, PQgetlength, (const PGresult *result, int row, int column), (result, row, column))                          \
    X(char *, PQgetvalue, (const PGresult *result, int row, int column), (result, row, column))                        \
    X(void, PQfreemem, (void *memory), (memory))

#define FORWARD(type, name, parameters, arguments)                                                                     \
    static __typeof__(&name) loaded_##name;                                                                            \
    type name parameters { return loaded_##name arguments; }
FUNCTIONS(FORWARD)

// Version 5 is the interface since PostgreSQL 8.1. The folder is Homebrew's, where the loader does not look.
static const char *const places[] = {
#ifdef __APPLE__
    "libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib",
#else
    "libpq.so.5",
#endif
};

static const char *missing;

static void load(void) {
    void *library = NULL;
    for (size_t place = 0; !library && place < sizeof places / sizeof *places; place++)
        library = dlopen(places[place], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        missing = dlerror();
        return;
    }
#define FIND(type, name, parameters, arguments)                                                                        \
    loaded_##name = (__typeof__(&name))dlsym(library, #name);                                                          \
    if (!loaded_##name) missing = "libpq.so.5 is older than PostgreSQL 14: it has no " #name;
    FUNCTIONS(FIND)
}

const char *cpostgres_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return missing;
}
