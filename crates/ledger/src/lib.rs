//! The rules of Dutch double-entry bookkeeping for the self-employed: pure, exact and without I/O.
