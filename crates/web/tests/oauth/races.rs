//! The same code or token at the same instant: exactly one wins, and that it came twice ends the grant.

use crate::help::{Fields, Shop, Tokens, error, invalid_grant};
use std::sync::Barrier;
use testing::{Reply, on_both_engines};

const AT_ONCE: usize = 16;

fn all_at_once(shop: &Shop, fields: &Fields) -> Vec<Reply> {
    let barrier = Barrier::new(AT_ONCE);
    let ask = || {
        barrier.wait();
        shop.token(fields)
    };
    std::thread::scope(|scope| {
        let asking: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(ask)).collect();
        asking.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// The one good answer among refusals.
fn winner(replies: &[Reply]) -> Tokens {
    let (won, lost): (Vec<_>, Vec<_>) = replies.iter().partition(|reply| reply.status == 200);
    assert_eq!(won.len(), 1);
    for reply in lost {
        assert_eq!(error(reply), invalid_grant());
    }
    Tokens::of(won[0])
}

on_both_engines! {
    fn rfc6749_10_5_of_16_exchanges_of_a_code_at_once_one_wins_and_its_grant_ends(engine) {
        let shop = Shop::start(engine);
        let code = shop.code("read write");
        let tokens = winner(&all_at_once(&shop, &shop.exchange_fields(&code)));
        assert!(!shop.works(&tokens.access));
        assert_eq!(error(&shop.refresh(&tokens.refresh)), invalid_grant());
        assert_eq!(["oauth_grants", "oauth_access_tokens", "oauth_refresh_tokens"].map(|table| shop.rows(table)), [0, 0, 0]);
    }

    fn rfc9700_4_14_2_of_16_refreshes_at_once_one_wins_and_the_grant_ends(engine) {
        let shop = Shop::start(engine);
        let first = shop.connect();
        let tokens = winner(&all_at_once(&shop, &shop.refresh_fields(&first.refresh)));
        assert!(!shop.works(&tokens.access) && !shop.works(&first.access));
        assert_eq!(error(&shop.refresh(&tokens.refresh)), invalid_grant());
        assert_eq!(["oauth_grants", "oauth_access_tokens", "oauth_refresh_tokens"].map(|table| shop.rows(table)), [0, 0, 0]);
    }
}
