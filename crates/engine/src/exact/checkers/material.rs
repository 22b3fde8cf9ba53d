//! How many men and kings each side has: a slice of the tables.

/// The men and kings of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Force {
    /// Kings first: forces with more kings are greater.
    pub kings: u8,
    /// Men.
    pub men: u8,
}

impl Force {
    /// All its pieces.
    pub fn pieces(self) -> u8 {
        self.kings + self.men
    }

    /// A man of it made a king.
    pub(super) fn crowned(self) -> Force {
        Force { kings: self.kings + 1, men: self.men - 1 }
    }
}

/// What both sides have.
///
/// Colours can be exchanged, so of two slices that differ by that only the one in which black has the greater force (more
/// kings, or as many and more men) has a file; it holds both sides to move, unless the forces are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Material {
    /// Black's force.
    pub black: Force,
    /// White's.
    pub white: Force,
}

impl Material {
    /// The material of sets of pieces.
    #[inline(always)]
    pub(super) fn of(black: u32, white: u32, kings: u32) -> Material {
        let force =
            |pieces: u32| Force { kings: (pieces & kings).count_ones() as u8, men: (pieces & !kings).count_ones() as u8 };
        Material { black: force(black), white: force(white) }
    }

    /// All pieces.
    pub fn pieces(self) -> u8 {
        self.black.pieces() + self.white.pieces()
    }

    /// The colours exchanged.
    pub fn swapped(self) -> Material {
        Material { black: self.white, white: self.black }
    }

    /// Whether this one of the two colourings has a file.
    #[inline(always)]
    pub(super) fn is_stored(self) -> bool {
        self.black >= self.white
    }

    /// How many sides to move its file holds.
    pub(super) fn sections(self) -> usize {
        if self.black == self.white { 1 } else { 2 }
    }

    /// A number below [`Material::PLACES`], different for each.
    #[inline(always)]
    pub(super) fn place(self) -> usize {
        let Material { black, white } = self;
        [black.kings, black.men, white.kings, white.men].into_iter().fold(0, |sum, count| sum * 8 + usize::from(count))
    }

    pub(super) const PLACES: usize = 8 * 8 * 8 * 8;

    /// The name of its file: `2k1m-1k0m` is two kings and a man against a king.
    pub(super) fn name(self) -> String {
        let Material { black, white } = self;
        format!("{}k{}m-{}k{}m", black.kings, black.men, white.kings, white.men)
    }

    /// Every slice with so many pieces that has a file, each after all that its moves lead to.
    pub(super) fn stored(pieces: u8) -> Vec<Material> {
        let mut found = Vec::new();
        // A crowning takes a man away, so slices with fewer men come first.
        for men in 0..=pieces {
            for black_pieces in (1..pieces).rev() {
                let white_pieces = pieces - black_pieces;
                for black_men in 0..=men.min(black_pieces) {
                    let white_men = men - black_men;
                    if white_men <= white_pieces {
                        let force = |pieces, men| Force { kings: pieces - men, men };
                        let material =
                            Material { black: force(black_pieces, black_men), white: force(white_pieces, white_men) };
                        if material.is_stored() {
                            found.push(material);
                        }
                    }
                }
            }
        }
        found
    }
}
