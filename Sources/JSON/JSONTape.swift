internal import CJSON

/// A value's entry on the tape, for tests that compare parsers entry by entry.
package struct JSONTapeEntry: Equatable, Sendable {
    package var start: UInt32
    package var end: UInt32
    package var skip: UInt32
    package var info: UInt32

    package init(start: UInt32, end: UInt32, skip: UInt32, info: UInt32) {
        self.start = start
        self.end = end
        self.skip = skip
        self.info = info
    }
}

extension JSONNode {
    /// The entries of this value and of everything in it.
    package var tape: [JSONTapeEntry] {
        let entries = entry.assumingMemoryBound(to: orrery_json_entry.self)
        return (0..<Int(entries.pointee.skip)).map { index in
            let entry = entries[index]
            return JSONTapeEntry(start: entry.start, end: entry.end, skip: entry.skip, info: entry.info)
        }
    }
}
