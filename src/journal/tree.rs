//! The Merkle tree over a record's lines, as RFC 6962 (section 2.1) describes it, with SHA-256.
//!
//! A leaf is a line as it stands, its chain included, without its line end. Nothing here keeps the leaves: a tree that
//! only grows needs one hash for each bit of its size, and a proof one pass over the lines.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The hash of a leaf or of a node.
pub type Hash = [u8; 32];

/// What a leaf and a node begin with, so that neither passes for the other.
const LEAF: [u8; 1] = [0];
const NODE: [u8; 1] = [1];

/// The hash of a line.
#[must_use]
pub fn leaf(line: &[u8]) -> Hash {
    Sha256::new().chain_update(LEAF).chain_update(line).finalize().into()
}

fn node(left: &Hash, right: &Hash) -> Hash {
    Sha256::new().chain_update(NODE).chain_update(left).chain_update(right).finalize().into()
}

/// A tree that only grows: the roots of the whole subtrees it consists of, the largest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tree {
    size: u64,
    #[serde(with = "hashes")]
    subtrees: Vec<Hash>,
}

/// Hashes as hexadecimal digits.
mod hashes {
    use serde::{Deserialize, Deserializer, Serializer};

    use super::Hash;
    use crate::hex::Hex;

    pub(super) fn serialize<S: Serializer>(hashes: &[Hash], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(hashes.iter().map(|hash| Hex::from(*hash)))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Hash>, D::Error> {
        Ok(Vec::<Hex>::deserialize(deserializer)?.into_iter().map(Hash::from).collect())
    }
}

impl Tree {
    /// The leaves since it last had a multiple of two to the power of `level`.
    pub(super) fn since(&self, level: u32) -> Self {
        let size = self.size & ((1 << level) - 1);
        let parts = size.count_ones() as usize;
        let subtrees = self.subtrees.iter().skip(self.subtrees.len().saturating_sub(parts)).copied().collect();
        Self { size, subtrees }
    }

    /// Leaves so far.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Adds the leaf with this hash.
    pub fn push(&mut self, leaf: Hash) {
        self.push_subtree(leaf, 0);
    }

    /// Adds two to the power of `level` leaves at once, whose root this is; the tree consists of as large parts so far.
    pub fn push_subtree(&mut self, root: Hash, level: u32) {
        // each 1 at the low end of the size is a subtree as large as what is carried
        let mut carried = root;
        for _ in 0..(self.size >> level).trailing_ones() {
            if let Some(left) = self.subtrees.pop() {
                carried = node(&left, &carried);
            }
        }
        self.subtrees.push(carried);
        self.size += 1 << level;
    }

    /// The root; that of a tree without leaves is the hash of nothing.
    #[must_use]
    pub fn root(&self) -> Hash {
        let mut subtrees = self.subtrees.iter().rev();
        let Some(smallest) = subtrees.next() else { return Sha256::digest([]).into() };
        subtrees.fold(*smallest, |right, left| node(left, &right))
    }
}

/// One step of an inclusion proof, from the leaf to the root.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Step {
    /// The leaves below the sibling.
    leaves: Range<u64>,
    /// The sibling stands on the right.
    right: bool,
}

/// The steps from leaf `index` (from 0) to the root of a tree of `size` leaves; none where there is no such leaf.
fn steps(index: u64, size: u64) -> Vec<Step> {
    let (mut steps, mut within) = (Vec::new(), 0..size);
    while index < size && within.end - within.start > 1 {
        // the left half is the largest power of two that leaves something for the right one
        let middle = within.start + (within.end - within.start).next_power_of_two() / 2;
        let right = index < middle;
        let (inside, beside) =
            if right { (within.start..middle, middle..within.end) } else { (middle..within.end, within.start..middle) };
        steps.push(Step { leaves: beside, right });
        within = inside;
    }
    steps.reverse();
    steps
}

/// An inclusion proof, made while the lines go by.
#[derive(Debug)]
pub struct Prover {
    steps: Vec<Step>,
    hashes: Vec<Hash>,
    /// Steps in the order of their leaves, the next one last.
    ahead: Vec<usize>,
    index: u64,
    next: u64,
    subtree: Tree,
}

impl Prover {
    /// For leaf `index` (from 0) in the tree of the first `size` leaves.
    #[must_use]
    pub fn new(index: u64, size: u64) -> Self {
        let steps = steps(index, size);
        let mut ahead: Vec<usize> = (0..steps.len()).collect();
        ahead.sort_by_key(|&step| std::cmp::Reverse(steps.get(step).map(|step| step.leaves.start)));
        let hashes = vec![Hash::default(); steps.len()];
        Self { steps, hashes, ahead, index, next: 0, subtree: Tree::default() }
    }

    /// Takes the next leaf.
    pub fn push(&mut self, leaf: Hash) {
        self.push_subtree(leaf, 0);
    }

    /// Takes the next leaves, two to the power of `level`, by their root. The one that is proven is not among them.
    pub fn push_subtree(&mut self, root: Hash, level: u32) {
        let at = self.next;
        self.next += 1 << level;
        let Some(&step) = self.ahead.last() else { return };
        let Some(end) = self.steps.get(step).map(|step| step.leaves.end).filter(|_| at != self.index) else { return };
        self.subtree.push_subtree(root, level);
        if self.next == end {
            if let Some(hash) = self.hashes.get_mut(step) {
                *hash = std::mem::take(&mut self.subtree).root();
            }
            self.ahead.pop();
        }
    }

    /// The proof, from the leaf's sibling to the root's child; none while leaves are missing.
    #[must_use]
    pub fn proof(self) -> Option<Vec<Hash>> {
        (self.ahead.is_empty() && self.next > self.index).then_some(self.hashes)
    }
}

/// The root that a proof leads to from leaf `index` of `size`; none where it has not the length that it must have.
#[must_use]
pub fn root_by_proof(leaf: Hash, index: u64, size: u64, proof: &[Hash]) -> Option<Hash> {
    let steps = steps(index, size);
    (index < size && steps.len() == proof.len()).then(|| {
        steps.iter().zip(proof).fold(leaf, |below, (step, beside)| match step.right {
            true => node(&below, beside),
            false => node(beside, &below),
        })
    })
}

/// The subtrees whose roots prove that a tree of `size` leaves begins with all `old` leaves of an older one, in the
/// order of RFC 6962, section 2.1.2.
#[must_use]
pub fn consistency(old: u64, size: u64) -> Vec<Range<u64>> {
    let (mut beside, mut within, mut is_old) = (Vec::new(), 0..size, true);
    while 0 < old && old < within.end {
        let middle = within.start + (within.end - within.start).next_power_of_two() / 2;
        if old <= middle {
            beside.push(middle..within.end);
            within.end = middle;
        } else {
            beside.push(within.start..middle);
            (within.start, is_old) = (middle, false);
        }
    }
    beside.extend((!is_old).then_some(within));
    beside.reverse();
    beside
}

/// Whether a proof of these roots leads from the root of `old` leaves to that of `size`.
#[must_use]
pub fn is_consistent((old, old_root): (u64, Hash), (size, root): (u64, Hash), proof: &[Hash]) -> bool {
    let subtrees = consistency(old, size);
    if old == 0 || old > size || subtrees.len() != proof.len() {
        return false;
    }
    let mut parts = subtrees.iter().zip(proof);
    // the first is the last part of the older tree, where that is not a subtree of the newer one as a whole
    let begin = match subtrees.first() {
        Some(first) if first.end == old => parts.next().map_or(old_root, |(_, hash)| *hash),
        _ => old_root,
    };
    let (found_old, found) = parts.fold((begin, begin), |(was, now), (leaves, beside)| match leaves.start < old {
        true => (node(beside, &was), node(beside, &now)),
        false => (was, node(&now, beside)),
    });
    (found_old, found) == (old_root, root)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The leaves and roots that the tests of Certificate Transparency itself use.
    const LEAVES: [&str; 8] =
        ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"];
    const ROOTS: [&str; 8] = [
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ];

    fn hex(hash: &Hash) -> String {
        hash.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn bytes(hex: &str) -> Vec<u8> {
        (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
    }

    /// MTH of RFC 6962 section 2.1, word for word.
    fn by_definition(leaves: &[Hash]) -> Hash {
        match leaves {
            [] => Sha256::digest([]).into(),
            [one] => *one,
            _ => {
                let k = leaves.len().next_power_of_two() / 2;
                node(&by_definition(&leaves[..k]), &by_definition(&leaves[k..]))
            }
        }
    }

    #[test]
    fn the_roots_are_those_that_certificate_transparency_publishes() {
        let mut tree = Tree::default();
        assert_eq!(hex(&tree.root()), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        for (line, root) in LEAVES.iter().zip(ROOTS) {
            tree.push(leaf(&bytes(line)));
            assert_eq!(hex(&tree.root()), root, "{} leaves", tree.size());
        }
    }

    #[test]
    fn every_proof_in_every_small_tree_leads_to_its_root_and_no_other_leaf_does() {
        let leaves: Vec<Hash> = (0u8..70).map(|n| leaf(&[n])).collect();
        let mut tree = Tree::default();
        for size in 1..=leaves.len() {
            tree.push(leaves[size - 1]);
            assert_eq!(tree.root(), by_definition(&leaves[..size]));
            for index in 0..size {
                let (at, of) = (index as u64, size as u64);
                let mut prover = Prover::new(at, of);
                leaves.iter().for_each(|leaf| prover.push(*leaf));
                let proof = prover.proof().unwrap();
                let root = |leaf, at, proof: &[Hash]| root_by_proof(leaf, at, of, proof);
                assert_eq!(root(leaves[index], at, &proof), Some(tree.root()), "{index} of {size}");
                assert_ne!(root(leaf(b"another"), at, &proof), Some(tree.root()));
                assert_eq!(root(leaves[index], of, &proof), None, "there is no such leaf");
                assert_eq!(root(leaves[index], at, &[proof, vec![leaves[0]]].concat()), None, "a proof too long");
            }
        }
    }

    #[test]
    fn every_older_tree_is_proven_to_be_the_beginning_and_no_other_one_is() {
        let leaves: Vec<Hash> = (0u8..70).map(|n| leaf(&[n])).collect();
        let of = |size: u64| (size, by_definition(&leaves[..size as usize]));
        for size in 1..=70 {
            for old in 1..=size {
                let ranges = consistency(old, size);
                let root = |range: &Range<u64>| by_definition(&leaves[range.start as usize..range.end as usize]);
                let proof: Vec<Hash> = ranges.iter().map(root).collect();
                assert!(is_consistent(of(old), of(size), &proof), "{old} of {size}");
                assert!(
                    !is_consistent((old, leaf(b"another")), of(size), &proof),
                    "{old} of {size}: another beginning"
                );
                assert!(!is_consistent(of(old), (size, leaf(b"another")), &proof));
                assert!(!is_consistent(of(old), of(size), &[proof.clone(), vec![leaves[0]]].concat()));
                for at in 0..proof.len() {
                    let mut changed = proof.clone();
                    changed[at] = leaf(b"another");
                    assert!(!is_consistent(of(old), of(size), &changed), "{old} of {size}, hash {at}");
                }
            }
            assert!(!is_consistent(of(size), of(size - 1), &[]), "it has not shrunk");
        }
        // the examples of RFC 6962, section 2.1.3: PROOF(3, D[7]), PROOF(4, D[7]), PROOF(6, D[7])
        assert_eq!(consistency(3, 7), [2..3, 3..4, 0..2, 4..7]);
        assert_eq!(consistency(4, 7).as_slice(), std::slice::from_ref(&(4..7)));
        assert_eq!(consistency(6, 7), [4..6, 6..7, 0..4]);
    }

    #[test]
    fn a_proof_whose_leaves_are_missing_is_none() {
        let mut prover = Prover::new(1, 3);
        prover.push(leaf(b"0"));
        prover.push(leaf(b"1"));
        assert_eq!(prover.proof(), None);
        assert_eq!(Prover::new(0, 1).proof(), None);
    }
}
