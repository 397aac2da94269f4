internal import CJSON

/// A copy of a tape entry, for tests that compare the entries of parsers.
package struct JSONTapeEntry: Equatable, Sendable {
    /// Offset of the first byte.
    package var start: UInt32
    /// Offset past the last byte.
    package var end: UInt32
    /// Number of entries to the next sibling.
    package var skip: UInt32
    /// Kind, flag, and count.
    package var info: UInt32

    /// Creates an entry.
    package init(start: UInt32, end: UInt32, skip: UInt32, info: UInt32) {
        self.start = start
        self.end = end
        self.skip = skip
        self.info = info
    }
}

extension JSONNode {
    /// Entries of this value and its contents.
    package var tape: [JSONTapeEntry] {
        let entries = entry.assumingMemoryBound(to: orrery_json_entry.self)
        return (0..<Int(entries.pointee.skip)).map { index in
            let entry = entries[index]
            return JSONTapeEntry(start: entry.start, end: entry.end, skip: entry.skip, info: entry.info)
        }
    }
}
