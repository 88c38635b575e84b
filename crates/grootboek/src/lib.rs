//! Bookkeeping for the self-employed in the Netherlands: one binary.
