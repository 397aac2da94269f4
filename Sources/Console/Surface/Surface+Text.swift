extension Surface {
    /// Draws one line of text and returns its width in columns.
    ///
    /// If `width` is not `nil`, longer text is truncated with `…`; otherwise text is cut off at the right edge of the
    /// clip. Controls, newlines, and other scalars that are invisible or reorder the line are drawn as escapes. The
    /// result matches ``DisplayWidth``.
    /// - Complexity: O(n) in the number of columns drawn, regardless of the length of the text.
    @discardableResult
    public mutating func put(
        _ text: some StringProtocol, at point: Point, style: Style, width: Int? = nil
    ) -> Int {
        DisplayWidth.withUTF8(of: text) { bytes in put(utf8: bytes, at: point, style: style, width: width) }
    }

    /// Draws one scalar, such as a glyph of the theme.
    public mutating func put(_ scalar: Unicode.Scalar, at point: Point, style: Style) {
        let columns = ScalarClass.of(scalar.value).columns
        set(Cell(glyph: columns == 0 ? 0x20 : scalar.value, style: style, width: UInt8(max(1, columns))), at: point)
    }

    private mutating func put(
        utf8 bytes: UnsafeBufferPointer<UInt8>, at point: Point, style: Style, width: Int?
    ) -> Int {
        let room = width ?? clip.endColumn - point.column
        guard room > 0 else { return 0 }
        let plain = DisplayWidth.printablePrefix(bytes, upTo: room)
        if plain == bytes.count {
            set(printable: bytes, at: point, style: style)
            return plain
        }
        // A combining mark may follow the last byte, so the scanner handles it.
        let settled = min(max(0, plain - 1), room - 1)
        set(printable: UnsafeBufferPointer(rebasing: bytes[..<settled]), at: point, style: style)
        var scanner = ClusterScanner(UnsafeBufferPointer(rebasing: bytes[settled...]))
        var columns = settled
        while let cluster = scanner.next() {
            let place = Point(column: point.column + columns, row: point.row)
            let end = columns + cluster.columns
            // A cluster must leave a column for an ellipsis, unless it is the last one.
            if end < room || (end == room && (width == nil || scanner.isAtEnd)) {
                draw(cluster, at: place, style: style, in: bytes, offset: settled)
                columns = end
            } else {
                guard width != nil else { return columns }
                set(Cell(glyph: Self.ellipsis, style: style), at: place)
                return columns + 1
            }
        }
        return columns
    }

    package static let ellipsis: UInt32 = 0x2026

    private mutating func draw(
        _ cluster: Cluster, at point: Point, style: Style, in bytes: UnsafeBufferPointer<UInt8>, offset: Int
    ) {
        guard point.row >= clip.row, point.row < clip.endRow else { return }
        if cluster.scalar != 0 {
            set(Cell(glyph: cluster.scalar, style: style, width: UInt8(cluster.columns)), at: point)
        } else if let shape = cluster.shape {
            draw(shape, at: point, style: style)
        } else {
            let (value, _) = UTF8Reading.scalar(in: bytes, at: offset + cluster.range.lowerBound)
            draw(ClusterShape(CollectionOfOne(Unicode.Scalar(value) ?? "\u{FFFD}")), at: point, style: style)
        }
    }

    private mutating func draw(_ shape: ClusterShape, at point: Point, style: Style) {
        var place = point
        for piece in shape.pieces {
            switch piece {
            case .cell(let range, let columns):
                set(
                    Cell(glyph: glyph(of: shape.scalars[range]), style: style, width: UInt8(columns)), at: place)
                place.column += columns
            case .loneMark(let index):
                set(Cell(glyph: glyph(of: ["\u{25CC}", shape.scalars[index]]), style: style), at: place)
                place.column += 1
            case .escape(let scalar):
                drawEscape(Escape.text(of: scalar), at: &place, style: style)
            case .surplus(let count):
                drawEscape(ClusterShape.Piece.surplusText(count), at: &place, style: style)
            }
        }
    }

    /// Draws an escape in dim text, which distinguishes it from the same characters in the text.
    private mutating func drawEscape(_ text: String, at place: inout Point, style: Style) {
        for sign in text.unicodeScalars {
            set(Cell(glyph: sign.value, style: style.adding(.dim)), at: place)
            place.column += 1
        }
    }

    /// Returns the glyph number for the scalars of one cell.
    private mutating func glyph(of scalars: ArraySlice<Unicode.Scalar>) -> UInt32 {
        if scalars.count == 1, let only = scalars.first { return only.value }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return intern(String(text))
    }

    /// Draws text aligned in a given width, padded with blanks of the same style.
    public mutating func put(
        _ text: some StringProtocol, at point: Point, style: Style, width: Int, aligned alignment: Alignment
    ) {
        guard width > 0 else { return }
        let columns = min(width, DisplayWidth.withUTF8(of: text) { DisplayWidth.measure($0, upTo: width + 1).columns })
        let lead = alignment.lead(of: width - columns)
        let row = Rect(column: point.column, row: point.row, columns: width, rows: 1)
        if columns < width { fill(row, style: style) }
        put(text, at: Point(column: point.column + lead, row: point.row), style: style, width: width - lead)
    }
}
