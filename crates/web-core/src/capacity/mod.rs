//! How much of what takes long or holds much a server does at once, in all and of one account.

mod fair_semaphore;

pub use fair_semaphore::{Asker, FairSemaphore, Permit};

use crate::http::TIME_LIMIT;
use fair_semaphore::Limits;
use std::{sync::Arc, thread::available_parallelism, time::Duration};

/// Exports that run at once: each holds a connection to the database for as long as the visitor takes to read.
const EXPORTS: usize = 2;
/// Requests with files that are taken in at once: each file may have ten megabytes.
const UPLOADS: usize = 8;
/// Of one account: however slowly it sends, others find a place.
const UPLOADS_OF_ONE: usize = 2;
/// Pictures that are unpacked at once: each may take a few hundred megabytes.
const PICTURES: usize = 1;
/// Documents that are made at once, where there are not more processors: one of an account, so that the next of another never waits for the
/// first alone.
const LEAST_DOCUMENTS: usize = 2;
/// Documents that wait to be made: each is held as what it is made of, up to a few megabytes.
const WAITING_DOCUMENTS: usize = 256;
/// Of one account.
const WAITING_DOCUMENTS_OF_ONE: usize = 16;
/// How long somebody waits for a document to be begun.
const DOCUMENT_TIMEOUT: Duration = Duration::from_secs(10);

/// What a server has room for.
pub struct Capacity {
    /// What is handed on for minutes while it is read; nobody waits for it.
    pub exports: Arc<FairSemaphore>,
    /// Requests with files, until they are answered.
    pub uploads: Arc<FairSemaphore>,
    /// Pictures that are made smaller, of uploads that were taken in.
    pub pictures: Arc<FairSemaphore>,
    /// Invoices that are made into documents.
    pub documents: Arc<FairSemaphore>,
}

impl Default for Capacity {
    fn default() -> Self {
        let processors = available_parallelism().map_or(LEAST_DOCUMENTS, |count| count.get().max(LEAST_DOCUMENTS));
        let none_waits = Limits { in_all: EXPORTS, of_one: 1, waiting: 0, waiting_of_one: 0, timeout: Duration::ZERO };
        // The time that a request may take ends their waiting.
        let all_wait = Limits { waiting: usize::MAX, waiting_of_one: usize::MAX, timeout: TIME_LIMIT, ..none_waits };
        let documents = Limits {
            in_all: processors,
            of_one: 1,
            waiting: WAITING_DOCUMENTS,
            waiting_of_one: WAITING_DOCUMENTS_OF_ONE,
            timeout: DOCUMENT_TIMEOUT,
        };
        Self {
            exports: FairSemaphore::new("exports", none_waits),
            uploads: FairSemaphore::new("uploads", Limits { in_all: UPLOADS, of_one: UPLOADS_OF_ONE, ..all_wait }),
            pictures: FairSemaphore::new("pictures", Limits { in_all: PICTURES, of_one: PICTURES, ..all_wait }),
            documents: FairSemaphore::new("documents", documents),
        }
    }
}
