//! Material of a position: the numbers of men and kings of both sides, which identify a slice of the tables.

/// Kings and men of one side, compared by kings first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Force {
    /// Number of kings.
    pub kings: u8,
    /// Number of men.
    pub men: u8,
}

impl Force {
    /// Number of pieces.
    pub fn pieces(self) -> u8 {
        self.kings + self.men
    }

    /// Returns this force with one man crowned.
    pub(super) fn crowned(self) -> Force {
        Force { kings: self.kings + 1, men: self.men - 1 }
    }
}

/// Men and kings of both sides.
///
/// The rules are symmetric under swapping the colours, so only one slice of each mirrored pair is stored: the one in which
/// Black has the greater force (more kings, or as many kings and more men). Its file has a section for each side to move, or only
/// one if the forces are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Material {
    /// Black's force.
    pub black: Force,
    /// White's force.
    pub white: Force,
}

impl Material {
    /// Returns the material of a position given as bit sets.
    #[inline(always)]
    pub(super) fn of(black: u32, white: u32, kings: u32) -> Material {
        let force =
            |pieces: u32| Force { kings: (pieces & kings).count_ones() as u8, men: (pieces & !kings).count_ones() as u8 };
        Material { black: force(black), white: force(white) }
    }

    /// Total number of pieces of both sides.
    pub fn pieces(self) -> u8 {
        self.black.pieces() + self.white.pieces()
    }

    /// Returns this material with the colours swapped.
    pub fn swapped(self) -> Material {
        Material { black: self.white, white: self.black }
    }

    /// Whether this slice is stored, rather than the one with the colours swapped.
    #[inline(always)]
    pub(super) fn is_stored(self) -> bool {
        self.black >= self.white
    }

    /// Number of sections in the file: one for each side to move that is stored.
    pub(super) fn sections(self) -> usize {
        if self.black == self.white { 1 } else { 2 }
    }

    /// A unique number below [`Material::ID_COUNT`].
    #[inline(always)]
    pub(super) fn id(self) -> usize {
        let Material { black, white } = self;
        [black.kings, black.men, white.kings, white.men].into_iter().fold(0, |sum, count| sum * 8 + usize::from(count))
    }

    /// Exclusive upper bound on [`Material::id`].
    pub(super) const ID_COUNT: usize = 8 * 8 * 8 * 8;

    /// File name without extension: `2k1m-1k0m` is two kings and a man against a king.
    pub(super) fn name(self) -> String {
        let Material { black, white } = self;
        format!("{}k{}m-{}k{}m", black.kings, black.men, white.kings, white.men)
    }

    /// Returns every stored slice with the given number of pieces, each after all slices its moves lead to.
    pub(super) fn stored(pieces: u8) -> Vec<Material> {
        let mut materials = Vec::new();
        // Crowning reduces the number of men, so slices with fewer men come first.
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
                            materials.push(material);
                        }
                    }
                }
            }
        }
        materials
    }
}
