//! Open items that add up to an amount.

use std::ops::ControlFlow;

/// Maximum number of items of a sum.
pub(crate) const MOST_ITEMS: usize = 12;
/// Maximum number of steps of all searches for one line.
pub(crate) const MOST_STEPS: u32 = 20_000;
/// Number of solutions after which a search ends: the amount is ambiguous.
const MOST_SOLUTIONS: usize = 2;

/// Finds items that add up to `target`: from 2 to 12 of them.
///
/// `amounts` has the amounts of the items, the preferred one of equal amounts first. Returns the
/// indices of the items of at most two solutions with different amounts. Returns none if `steps`
/// does not suffice for a complete search; it is reduced by the steps taken.
pub(crate) fn find(amounts: &[i64], target: i64, steps: &mut u32) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..amounts.len()).collect();
    // Large amounts first, for which the bounds cut most.
    order.sort_by_key(|index| (std::cmp::Reverse(amounts[*index].unsigned_abs()), amounts[*index]));
    let mut search =
        Search { amounts, bounds: bounds(amounts, &order), order, ..Search::default() };
    match search.from(0, target, steps) {
        ControlFlow::Break(Stop::OutOfSteps) => Vec::new(),
        ControlFlow::Break(Stop::Ambiguous) | ControlFlow::Continue(()) => search.solutions,
    }
}

/// Smallest and largest sum of the items from each place on.
fn bounds(amounts: &[i64], order: &[usize]) -> Vec<(i64, i64)> {
    let mut bounds = vec![(0_i64, 0_i64); order.len() + 1];
    for place in (0..order.len()).rev() {
        let (least, most) = bounds[place + 1];
        let amount = amounts[order[place]];
        bounds[place] = (least.saturating_add(amount.min(0)), most.saturating_add(amount.max(0)));
    }
    bounds
}

enum Stop {
    OutOfSteps,
    Ambiguous,
}

#[derive(Default)]
struct Search<'a> {
    amounts: &'a [i64],
    order: Vec<usize>,
    bounds: Vec<(i64, i64)>,
    chosen: Vec<usize>,
    solutions: Vec<Vec<usize>>,
}

impl Search<'_> {
    /// Chooses items from a place on that add up to the rest.
    fn from(&mut self, place: usize, rest: i64, steps: &mut u32) -> ControlFlow<Stop> {
        if rest == 0 && self.chosen.len() > 1 {
            self.solutions.push(self.chosen.clone());
            if self.solutions.len() == MOST_SOLUTIONS {
                return ControlFlow::Break(Stop::Ambiguous);
            }
        }
        if self.chosen.len() == MOST_ITEMS {
            return ControlFlow::Continue(());
        }
        let mut next = place;
        while next < self.order.len() {
            let (least, most) = self.bounds[next];
            if rest < least || rest > most {
                break;
            }
            let Some(remaining) = steps.checked_sub(1) else {
                return ControlFlow::Break(Stop::OutOfSteps);
            };
            *steps = remaining;
            let index = self.order[next];
            self.chosen.push(index);
            let amount = self.amounts[index];
            self.from(next + 1, rest.saturating_sub(amount), steps)?;
            self.chosen.pop();
            // The first of equal amounts stands for all.
            while self.order.get(next).is_some_and(|index| self.amounts[*index] == amount) {
                next += 1;
            }
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solve(amounts: &[i64], target: i64) -> Vec<Vec<usize>> {
        let mut steps = MOST_STEPS;
        let mut found = find(amounts, target, &mut steps);
        found.iter_mut().for_each(|items| items.sort_unstable());
        found
    }

    #[test]
    fn two_or_more_items_add_up_and_the_first_of_equal_amounts_is_taken() {
        assert_eq!(solve(&[100, 250, 400], 350), [[0, 1]]);
        assert_eq!(solve(&[100, 100, 100], 200), [[0, 1]]);
        assert_eq!(solve(&[500, -100, 30], 400), [[0, 1]]);
        assert_eq!(solve(&[100, 250], 250), [[0; 0]; 0]);
        assert_eq!(solve(&[1; 13], 13), [[0; 0]; 0]);
        assert_eq!(solve(&[1; 12], 12).len(), 1);
        assert_eq!(solve(&[1, 2, 3, 4], 5).len(), 2);
    }

    #[test]
    fn a_search_that_is_too_long_finds_nothing() {
        // Even amounts never add up to an odd one, so a search must try them all.
        let amounts: Vec<i64> = (0..40).map(|number| 1_000 + 14 * number * number).collect();
        let target = amounts[14..26].iter().sum::<i64>() + 1;
        let mut steps = MOST_STEPS;
        assert!(find(&amounts, target, &mut steps).is_empty());
        assert_eq!(steps, 0);
    }
}
