//! Pages for sign-up, sign-in and account settings.

pub(crate) mod code_fault;
pub(crate) mod confirmation_mail;
pub(crate) mod data;
pub(crate) mod mail_sent;
pub(crate) mod password;
pub(crate) mod second_factor;
pub(crate) mod security;
pub(crate) mod sign_in;
pub(crate) mod sign_up;
