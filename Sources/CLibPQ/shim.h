#ifndef CLIBPQ_SHIM_H
#define CLIBPQ_SHIM_H

#include <libpq-fe.h>

// libpq's field codes are macros of character literals, which Swift does not import.
static const int CLIBPQ_DIAG_SEVERITY = PG_DIAG_SEVERITY_NONLOCALIZED;
static const int CLIBPQ_DIAG_SQLSTATE = PG_DIAG_SQLSTATE;
static const int CLIBPQ_DIAG_MESSAGE = PG_DIAG_MESSAGE_PRIMARY;
static const int CLIBPQ_DIAG_DETAIL = PG_DIAG_MESSAGE_DETAIL;
static const int CLIBPQ_DIAG_HINT = PG_DIAG_MESSAGE_HINT;
static const int CLIBPQ_DIAG_TABLE = PG_DIAG_TABLE_NAME;
static const int CLIBPQ_DIAG_COLUMN = PG_DIAG_COLUMN_NAME;
static const int CLIBPQ_DIAG_CONSTRAINT = PG_DIAG_CONSTRAINT_NAME;
static const int CLIBPQ_DIAG_CONTEXT = PG_DIAG_CONTEXT;

#endif
