/// A row of a text view, with its segment.
package struct TextCursor: Sendable {
    package var section: Int
    package var segment: TextSegment
    package var rows: [TextRow]
    package var index: Int

    package var row: TextRow { rows[index] }
    package var position: TextPosition { TextPosition(section: section, offset: row.start) }
}

extension TextView {
    /// Returns the row at a position, or the nearest row if the position does not exist; `nil` if there are no
    /// sections.
    package func cursor(at position: TextPosition) -> TextCursor? {
        guard !sections.isEmpty else { return nil }
        let section = min(max(0, position.section), sections.count - 1)
        let offset = section == position.section ? position.offset : section < position.section ? .max : 0
        let document = sections[section].document
        return document.withBytes { bytes in
            let segment = document.segment(at: offset, in: bytes)
            var cursor = cursor(section, segment, bytes)
            cursor.index = (cursor.rows.lastIndex { $0.start <= offset }) ?? 0
            return cursor
        }
    }

    /// Moves a cursor down by a number of rows, or up if it is negative.
    ///
    /// - Returns: `false` if the cursor reached the start or end of the text first.
    @discardableResult
    package func move(_ cursor: inout TextCursor, by rows: Int) -> Bool {
        // The limits prevent overflow, and no text has more rows.
        var left = max(-(1 << 48), min(rows, 1 << 48))
        while left > 0, moveDown(&cursor, by: &left) {}
        while left < 0, moveUp(&cursor, by: &left) {}
        return left == 0
    }

    /// Moves within the segment or to the next one, and returns `false` at the end.
    private func moveDown(_ cursor: inout TextCursor, by left: inout Int) -> Bool {
        let inside = min(left, cursor.rows.count - 1 - cursor.index)
        if inside > 0 {
            cursor.index += inside
            left -= inside
            return true
        }
        guard let next = next(cursor.section, cursor.segment) else { return false }
        cursor = next
        left -= 1
        return true
    }

    private func moveUp(_ cursor: inout TextCursor, by left: inout Int) -> Bool {
        let inside = min(-left, cursor.index)
        if inside > 0 {
            cursor.index -= inside
            left += inside
            return true
        }
        guard let previous = previous(cursor.section, cursor.segment) else { return false }
        cursor = previous
        cursor.index = cursor.rows.count - 1
        left += 1
        return true
    }

    private func next(_ section: Int, _ segment: TextSegment) -> TextCursor? {
        if let next = segment.next {
            let document = sections[section].document
            return document.withBytes { cursor(section, document.segment(from: next, in: $0), $0) }
        }
        guard section + 1 < sections.count else { return nil }
        let document = sections[section + 1].document
        return document.withBytes { cursor(section + 1, document.segment(from: 0, in: $0), $0) }
    }

    private func previous(_ section: Int, _ segment: TextSegment) -> TextCursor? {
        let document = sections[section].document
        if segment.start > 0 {
            return document.withBytes { bytes in
                document.segment(before: segment.start, in: bytes).map { cursor(section, $0, bytes) }
            }
        }
        guard section > 0 else { return nil }
        let before = sections[section - 1].document
        return before.withBytes { cursor(section - 1, before.segment(at: before.count, in: $0), $0) }
    }

    private func cursor(
        _ section: Int, _ segment: TextSegment, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> TextCursor {
        var rows: [TextRow] = []
        if wraps {
            wrapper(for: section, columns: size.columns).wrap(bytes, segment, into: &rows)
        } else {
            rows.append(TextRow(start: segment.start, end: segment.end, indent: 0))
        }
        return TextCursor(section: section, segment: segment, rows: rows, index: 0)
    }

    /// Returns the wrapper for a section; its width excludes the section's margin.
    private func wrapper(for section: Int, columns: Int) -> TextWrapper {
        TextWrapper(columns: columns - sections[section].margin.columns, hang: sections[section].hang)
    }

    /// Returns the number of rows of the whole text at its current width, at most `limit`.
    package func rowCount(upTo limit: Int) -> Int {
        guard var cursor = cursor(at: TextPosition(offset: 0)) else { return 1 }
        var rows = 1
        while rows < limit, move(&cursor, by: 1) { rows += 1 }
        return rows
    }
}
