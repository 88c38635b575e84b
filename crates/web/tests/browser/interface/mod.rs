//! Interface features that span areas.

mod entrance;
mod every_page;
mod keyboard;
mod leaving;
mod newcomer;
mod open_data;
mod unfinished;
