//! The classic board against the family.

use super::*;

#[test]
fn family_agrees_with_the_classic_table() {
    let family = Family::new(3, 3, 3);
    assert!((0..512).all(|cells| family.has_line(cells) == Classic.has_line(cells)));
}

#[test]
fn lines_do_not_wrap_round_the_edge() {
    let family = Family::new(8, 8, 5);
    assert!(family.has_line(0b11111));
    assert!(!family.has_line(0b11111 << 5));
    assert!(family.has_line(0x0010_0804_0201_0000));
    assert!(!Family::new(1, 4, 5).has_line(0b1111));
}
