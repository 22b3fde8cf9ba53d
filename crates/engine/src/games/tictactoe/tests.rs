//! Tests of the board shapes.

use super::*;

#[test]
fn the_generic_shape_agrees_with_the_classic_table() {
    let sized = Sized::new(3, 3, 3);
    assert!((0..512).all(|cells| sized.has_line(cells) == Classic.has_line(cells)));
}

#[test]
fn lines_do_not_wrap_around_the_edge() {
    let sized = Sized::new(8, 8, 5);
    assert!(sized.has_line(0b11111));
    assert!(!sized.has_line(0b11111 << 5));
    assert!(sized.has_line(0x0010_0804_0201_0000));
    assert!(!Sized::new(1, 4, 5).has_line(0b1111));
}
