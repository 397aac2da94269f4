internal import CTerminal

/// A converter from surfaces to ncurses cells that skips unchanged rows.
struct Painter {
    /// Whether frames use synchronized output (mode 2026).
    var isSynchronized = false

    private let quantizer: Quantizer
    private let isASCII: Bool
    /// Whether ncurses can write the last cell of the screen directly.
    ///
    /// Otherwise ncurses shifts a neighboring character into the last cell, which would split a wide character.
    private let fillsCorner: Bool
    private var pairs: ColorPairs
    private var looks = StyleCache()
    private var last: Surface?
    private var row: [cterminal_cell] = []

    init(colors: ColorDepth, isASCII: Bool) {
        quantizer = Quantizer(colors)
        self.isASCII = isASCII
        fillsCorner = cterminal_capability("rmam") != nil
        let available = colors == .monochrome ? 0 : Int(cterminal_pairs())
        let takesRGB = cterminal_takes_rgb()
        pairs = ColorPairs(available: available) { pair, foreground, background in
            cterminal_define_pair(
                Int32(pair), Self.number(of: foreground, takesRGB), Self.number(of: background, takesRGB))
        }
    }

    /// Returns the terminal's number for a palette index; -1 is the default color.
    ///
    /// A terminal with 24-bit colors has a palette of eight and interprets all other numbers as red, green, and blue.
    private static func number(of index: Int, _ takesRGB: Bool) -> Int32 {
        guard takesRGB, index >= 8 else { return Int32(index) }
        let color = Quantizer.rgb(of: UInt8(index))
        return Int32(color.red << 16 | color.green << 8 | color.blue)
    }

    /// Marks the whole screen as unknown, so that the next frame draws every row.
    mutating func forget() { last = nil }

    /// Sends the changes since the previous surface and returns whether there were any.
    mutating func paint(_ surface: borrowing Surface) -> Bool {
        let changed = changedRows(surface)
        if changed.isEmpty, let last, last.cursor == surface.cursor { return false }
        for row in changed { put(row, of: surface) }
        let cursor = surface.cursor
        cterminal_flush(Int32(cursor?.row ?? -1), Int32(cursor?.column ?? -1), isSynchronized)
        last = copy surface
        return true
    }

    private func changedRows(_ surface: borrowing Surface) -> [Int] {
        let columns = surface.size.columns
        let rows = surface.size.rows
        guard let last, last.size == surface.size else { return Array(0..<rows) }
        let sameClusters = last.clusters == surface.clusters
        return surface.cells.withUnsafeBufferPointer { new in
            last.cells.withUnsafeBufferPointer { old in
                (0..<rows).filter { row in
                    let range = row * columns..<(row + 1) * columns
                    for index in range where old[index] != new[index] { return true }
                    // A cluster number may now refer to a different cluster.
                    return !sameClusters && range.contains { new[$0].glyph >= Cell.firstCluster }
                }
            }
        }
    }

    private mutating func put(_ number: Int, of surface: borrowing Surface) {
        let columns = surface.size.columns
        row.removeAll(keepingCapacity: true)
        row.reserveCapacity(columns)
        for column in 0..<columns {
            let cell = surface.cells[number * columns + column]
            guard cell.width != 0 else {
                // The left half has already filled this cell; a right half without a left half is drawn as a blank.
                if row.count <= column { row.append(blank(look(of: cell.style))) }
                continue
            }
            let wide = cell.width == 2 && column + 1 < columns
            if wide, !fillsCorner, column + 3 == columns, number + 1 == surface.size.rows {
                append(Cell(style: cell.style), wide: true, text: nil)
                continue
            }
            append(cell, wide: wide, text: cell.glyph >= Cell.firstCluster ? surface.text(of: cell) : nil)
        }
        cterminal_put_row(Int32(number), row, Int32(row.count))
    }

    /// Appends a glyph with its width on the surface, regardless of its width in the C library.
    private mutating func append(_ cell: Cell, wide: Bool, text: String?) {
        let look = look(of: cell.style)
        if let pair = look.blank, look.isBlank(cell.glyph) {
            let blank = cterminal_cell(scalars: (0x20, 0, 0, 0), pair: pair, attributes: 0, columns: 1)
            row.append(contentsOf: repeatElement(blank, count: wide ? 2 : 1))
            return
        }
        var out = blank(look)
        let scalar = text?.unicodeScalars.first?.value ?? cell.glyph
        if scalar >= 0x20, scalar < 0x7F {
            out.scalars.0 = scalar
            if let text, !isASCII { addMarks(of: text, to: &out) }
            row.append(out)
        } else if isASCII {
            out.scalars.0 = ASCIISubstitute.of(scalar)
            row.append(out)
        } else {
            switch cterminal_width(scalar) {
            case 2 where wide:
                out.scalars.0 = scalar
                out.columns = 2
                if let text { addMarks(of: text, to: &out) }
                row.append(out)
                row.append(cterminal_cell(scalars: (0, 0, 0, 0), pair: 0, attributes: 0, columns: 0))
                return
            case 1:
                out.scalars.0 = scalar
                if let text { addMarks(of: text, to: &out) }
                row.append(out)
                if wide, let text, let second = second(of: text) {
                    var half = blank(look)
                    half.scalars.0 = second
                    row.append(half)
                    return
                }
            default:
                // The scalar is unassigned, invisible, or too wide.
                out.scalars.0 = 0xFFFD
                row.append(out)
            }
        }
        if wide { row.append(blank(look)) }
    }

    /// Returns the scalar for the second column of a cluster that terminals show as two glyphs: the second letter of a
    /// flag, or the vowel sign after a consonant.
    private func second(of text: String) -> UInt32? {
        for scalar in text.unicodeScalars.dropFirst() where cterminal_width(scalar.value) == 1 {
            if (0x1F1E6...0x1F1FF).contains(scalar.value) || scalar.properties.generalCategory == .spacingMark {
                return scalar.value
            }
        }
        return nil
    }

    /// Adds up to three combining marks of the base character.
    ///
    /// Joiners and variation selectors are left out, because terminals disagree about their effect on the width.
    private func addMarks(of text: String, to out: inout cterminal_cell) {
        var count = 0
        for scalar in text.unicodeScalars.dropFirst() where count < 3 {
            guard cterminal_width(scalar.value) == 0, scalar.properties.generalCategory != .format,
                !scalar.properties.isVariationSelector
            else { continue }
            switch count {
            case 0: out.scalars.1 = scalar.value
            case 1: out.scalars.2 = scalar.value
            default: out.scalars.3 = scalar.value
            }
            count += 1
        }
    }

    private func blank(_ look: TerminalStyle) -> cterminal_cell {
        cterminal_cell(scalars: (0x20, 0, 0, 0), pair: look.pair, attributes: look.attributes, columns: 1)
    }

    private mutating func look(of style: Style) -> TerminalStyle {
        if let known = looks[style] { return known }
        let look = TerminalStyle(style, quantizer: quantizer, pairs: &pairs)
        looks[style] = look
        return look
    }
}
