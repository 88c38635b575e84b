//! Checks the messages of the commits that the branch adds to its upstream: a subject of at most 72
//! characters without a full stop, and a body that gives the reason.

use crate::process;
use std::{path::Path, process::Command};

/// Maximum length of a subject, in characters.
const MOST_CHARACTERS: usize = 72;
/// References to the upstream; the first one that exists is used.
const UPSTREAMS: [&str; 2] = ["origin/main", "main"];

/// Returns each violation as `commit: fault: subject`. Without an upstream, or without a common
/// ancestor (as in a shallow clone), there is nothing to check.
pub(super) fn find(root: &Path) -> anyhow::Result<Vec<String>> {
    let git = |arguments: &[&str]| {
        process::output(Command::new("git").arg("-C").arg(root).args(arguments))
    };
    let Some(upstream) =
        UPSTREAMS.iter().find(|name| git(&["rev-parse", "--verify", "--quiet", name]).is_ok())
    else {
        return Ok(Vec::new());
    };
    let Ok(base) = git(&["merge-base", upstream, "HEAD"]) else { return Ok(Vec::new()) };
    let range = format!("{}..HEAD", base.trim());
    let commits = git(&["log", "-z", "--no-merges", "--format=%h%n%s%n%b", &range])?;
    Ok(commits.split('\0').flat_map(faults).collect())
}

/// Returns the faults of one commit: its abbreviated hash, its subject and its body, each on new
/// lines.
fn faults(commit: &str) -> Vec<String> {
    let mut lines = commit.splitn(3, '\n');
    let (Some(hash), Some(subject)) = (lines.next(), lines.next()) else { return Vec::new() };
    let checks = [
        (subject.chars().count() > MOST_CHARACTERS, "the subject is too long"),
        (subject.ends_with('.'), "the subject ends with a full stop"),
        (lines.next().is_none_or(|body| body.trim().is_empty()), "no body gives the reason"),
    ];
    checks
        .into_iter()
        .filter(|(fails, _)| *fails)
        .map(|(_, fault)| format!("{hash}: {fault}: {subject}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commits_that_a_branch_adds_are_checked() {
        let folder = tempfile::tempdir().unwrap();
        let git = |arguments: &[&str]| {
            let mut command = Command::new("git");
            command.arg("-C").arg(folder.path()).args([
                "-c",
                "user.name=A",
                "-c",
                "user.email=a@example.com",
            ]);
            process::output(command.args(arguments)).unwrap()
        };
        let commit = |message: &str| {
            git(&["commit", "--quiet", "--allow-empty", "--no-gpg-sign", "--message", message])
        };
        let found = || -> Vec<String> {
            let found = find(folder.path()).unwrap();
            found.iter().map(|line| line.split_once(": ").unwrap().1.to_owned()).collect()
        };
        git(&["init", "--quiet", "--initial-branch", "main"]);
        commit("Upstream keeps its wording.");
        assert!(found().is_empty());
        git(&["checkout", "--quiet", "-b", "branch"]);
        let longest = "é".repeat(MOST_CHARACTERS);
        commit(&format!("{longest}\n\nThe reason."));
        assert!(found().is_empty());
        commit(&format!("{longest}e\n\nThe reason."));
        commit("Do it.\n");
        let expected = [
            "the subject ends with a full stop: Do it.",
            "no body gives the reason: Do it.",
            "the subject is too long: ",
        ];
        assert_eq!(
            found(),
            [expected[0].to_owned(), expected[1].to_owned(), format!("{}{longest}e", expected[2])]
        );
        git(&["branch", "--quiet", "--move", "main", "other"]);
        assert!(found().is_empty(), "there is no upstream");
    }
}
