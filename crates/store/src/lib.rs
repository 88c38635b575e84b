//! The books on disk: one set of queries for SQLite and PostgreSQL.
