/// A row of wrapped text.
package struct TextRow: Hashable, Sendable {
    /// Offset of the first byte.
    package var start: Int
    /// Offset after the last byte. Blanks at a break belong to the row before it.
    package var end: Int
    /// Column at which the row starts; continuation rows are indented to the text of their line.
    package var indent: Int
}

/// A line wrapper that breaks segments into rows of a given width.
///
/// Rows break after blanks and next to wide characters, but not before closing punctuation. A word longer than a row is
/// split, after a `/` in the second half of the row if there is one, as in paths. Continuation rows are indented to the
/// first word of the line, after list markers, columns of numbers, and quotation marks (`>`), but at most to the middle
/// of the row.
package struct TextWrapper: Sendable {
    package let columns: Int
    /// Distance between tab stops.
    package let tab: Int
    /// Column at which continuation rows start; `nil` derives it from the text of each line.
    package let hang: Int?

    package init(columns: Int, tab: Int = 4, hang: Int? = nil) {
        self.columns = max(1, columns)
        self.tab = max(1, tab)
        let half = self.columns / 2
        self.hang = hang.map { min(max(0, $0), half) }
    }

    /// Appends the rows of one segment, at least one.
    ///
    /// - Complexity: O(n) in the number of bytes.
    package func wrap(_ bytes: UnsafeBufferPointer<UInt8>, _ segment: TextSegment, into rows: inout [TextRow]) {
        let hang = hang ?? (segment.startsLine ? hang(of: bytes, segment) : 0)
        var row = TextRow(start: segment.start, end: segment.end, indent: 0)
        var column = 0
        /// Last offset at which the row may end.
        var opportunity: Int?
        /// Offset after the last `/` in the second half of the row.
        var separator: Int?
        var hasWord = false
        var previousIsWide = false
        var scanner = TextColumns(bytes, from: segment.start, to: segment.end, tab: tab)
        while let cluster = scanner.next(at: column) {
            if cluster.isBlank {
                column += cluster.columns
                if hasWord { opportunity = cluster.end }
                previousIsWide = false
                continue
            }
            if hasWord, cluster.isWide || previousIsWide, !cluster.closes { opportunity = cluster.start }
            if column + cluster.columns > columns, cluster.start > row.start {
                // Measure the carried-over text again, because tabs depend on its new column.
                let cut = opportunity ?? separator ?? cluster.start
                rows.append(TextRow(start: row.start, end: cut, indent: row.indent))
                row = TextRow(start: cut, end: segment.end, indent: hang)
                scanner = TextColumns(bytes, from: cut, to: segment.end, tab: tab)
                column = hang
                opportunity = nil
                separator = nil
                hasWord = false
                previousIsWide = false
                continue
            }
            column += cluster.columns
            let isSlash = bytes[cluster.start] == UInt8(ascii: "/") && cluster.end == cluster.start + 1
            if isSlash, 2 * column >= columns { separator = cluster.end }
            hasWord = true
            previousIsWide = cluster.isWide
        }
        rows.append(row)
    }

    /// Returns the column at which continuation rows start.
    private func hang(of bytes: UnsafeBufferPointer<UInt8>, _ segment: TextSegment) -> Int {
        var column = 0
        var place = segment.start
        while place < segment.end, bytes[place] == 0x20 || bytes[place] == 0x09 {
            column += bytes[place] == 0x20 ? 1 : tab - column % tab
            place += 1
        }
        func byte(_ distance: Int) -> UInt8 { place + distance < segment.end ? bytes[place + distance] : 0 }
        while byte(0) == UInt8(ascii: ">"), byte(1) == 0x20 {
            place += 2
            column += 2
        }
        var digits = 0
        while digits < 4, byte(digits).isDigit { digits += 1 }
        if "-*+".utf8.contains(byte(0)), byte(1) == 0x20 {
            column += 2
        } else if byte(0) == 0xE2, byte(1) == 0x80, byte(2) == 0xA2, byte(3) == 0x20 {
            column += 2  // A bullet and a blank.
        } else if digits > 0, ".)".utf8.contains(byte(digits)), byte(digits + 1) == 0x20 {
            column += digits + 2
        } else if digits > 0, column > 0, byte(digits) == 0x20, byte(digits + 1) == 0x20 {
            column += digits + 2  // A column of numbers.
        }
        return min(column, columns / 2)
    }
}

/// An iterator over the clusters of a text and their widths, including tabs.
package struct TextColumns {
    package struct Cluster {
        package var start: Int
        package var end: Int
        package var columns: Int
        package var isBlank: Bool
        package var isTab: Bool
        package var isWide: Bool
        /// Whether the cluster is closing punctuation of a wide script, which never begins a row.
        package var closes: Bool
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private let origin: Int
    private let tab: Int
    private var scanner: ClusterScanner

    package init(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int, tab: Int) {
        self.bytes = bytes
        origin = start
        self.tab = tab
        scanner = ClusterScanner(UnsafeBufferPointer(rebasing: bytes[start..<max(start, end)]))
    }

    /// Returns the next cluster, given its column.
    package mutating func next(at column: Int) -> Cluster? {
        guard let cluster = scanner.next() else { return nil }
        let start = origin + cluster.range.lowerBound
        let isTab = bytes[start] == 0x09 && cluster.range.count == 1
        return Cluster(
            start: start, end: origin + cluster.range.upperBound,
            columns: isTab ? tab - column % tab : cluster.columns,
            isBlank: isTab || cluster.scalar == 0x20, isTab: isTab,
            isWide: cluster.columns == 2 && bytes[start] >= 0x80, closes: Self.closes(cluster.scalar))
    }

    private static func closes(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x3001, 0x3002, 0x3009, 0x300B, 0x300D, 0x300F, 0x3011, 0xFF01, 0xFF09, 0xFF0C, 0xFF0E, 0xFF1A, 0xFF1B,
            0xFF1F:
            true
        default: false
        }
    }
}
