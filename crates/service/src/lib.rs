//! What a person or a program can do with the books: one function per deed, one transaction per function.
