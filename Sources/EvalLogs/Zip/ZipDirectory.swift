/// The directory of a ZIP archive: what entries it has and where their bytes are.
///
/// Source: PKWARE APPNOTE 6.3.10, sections 4.3.12 to 4.3.16 and 4.5.3 (ZIP64).
struct ZipDirectory {
    /// One entry of the archive.
    struct Entry: Hashable, Sendable {
        var name: String
        var method: UInt16
        var flags: UInt16
        var crc32: UInt32
        var compressedSize: Int
        var size: Int
        /// Offset of its local header.
        var header: Int
    }

    let file: LogFile
    private(set) var entries: [Entry] = []
    /// Places in `entries` by name; the last of a name counts.
    private(set) var places: [String: Int] = [:]

    /// Bytes of a directory beyond which it is refused: five million entries.
    private static let longest = 512 << 20

    init(_ file: LogFile) throws(EvalLogError) {
        self.file = file
        let size = file.size
        let tailStart = max(0, size - (1 << 16) - 22)
        let tail = try file.bytes(tailStart..<size)
        guard let end = ZipDirectory.endRecord(tail) else {
            throw EvalLogError(
                path: file.path, problem: "the ZIP archive has no central directory",
                remedy: "The file is truncated or still being written. Open it again later.")
        }
        var count = tail.number(end + 10, 2)
        var length = tail.number(end + 12, 4)
        var start = tail.number(end + 16, 4)
        if count == 0xFFFF || length == 0xFFFF_FFFF || start == 0xFFFF_FFFF, end >= 20,
            tail.number(end - 20, 4) == 0x0706_4b50
        {
            let place = tail.number(end - 12, 8)
            guard place >= 0, place <= size - 56 else { throw ZipDirectory.damaged(file, "byte \(size)") }
            let record = try file.bytes(place..<(place + 56))
            guard record.count == 56, record.number(0, 4) == 0x0606_4b50 else {
                throw ZipDirectory.damaged(file, "byte \(place)")
            }
            count = record.number(32, 8)
            length = record.number(40, 8)
            start = record.number(48, 8)
        }
        guard start >= 0, length >= 0, count >= 0, start <= size, length <= size - start else {
            throw ZipDirectory.damaged(file, "byte \(tailStart + end)")
        }
        guard length <= ZipDirectory.longest else {
            throw EvalLogError(
                path: file.path, problem: "the ZIP archive's central directory is too large (\(length) bytes)")
        }
        try read(try file.bytes(start..<(start + length)), at: start)
    }

    subscript(name: String) -> Entry? { places[name].map { entries[$0] } }

    /// The last end-of-directory record whose comment ends with the file.
    private static func endRecord(_ tail: [UInt8]) -> Int? {
        guard tail.count >= 22 else { return nil }
        var place = tail.count - 22
        while place >= 0 {
            if tail[place] == 0x50, tail.number(place, 4) == 0x0605_4b50,
                place + 22 + tail.number(place + 20, 2) <= tail.count
            {
                return place
            }
            place -= 1
        }
        return nil
    }

    private static func damaged(_ file: LogFile, _ place: String) -> EvalLogError {
        EvalLogError(path: file.path, place: place, problem: "the ZIP archive's central directory is corrupt")
    }

    private mutating func read(_ bytes: [UInt8], at start: Int) throws(EvalLogError) {
        var place = 0
        while place + 46 <= bytes.count, bytes.number(place, 4) == 0x0201_4b50 {
            let nameLength = bytes.number(place + 28, 2)
            let extraLength = bytes.number(place + 30, 2)
            let next = place + 46 + nameLength + extraLength + bytes.number(place + 32, 2)
            guard next <= bytes.count else { throw ZipDirectory.damaged(file, "byte \(start + place)") }
            var entry = Entry(
                name: String(decoding: bytes[(place + 46)..<(place + 46 + nameLength)], as: UTF8.self),
                method: UInt16(bytes.number(place + 10, 2)), flags: UInt16(bytes.number(place + 8, 2)),
                crc32: UInt32(bytes.number(place + 16, 4)), compressedSize: bytes.number(place + 20, 4),
                size: bytes.number(place + 24, 4), header: bytes.number(place + 42, 4))
            let extra = (place + 46 + nameLength)..<(place + 46 + nameLength + extraLength)
            ZipDirectory.readLargeSizes(bytes, extra, into: &entry)
            guard entry.size >= 0, entry.compressedSize >= 0, entry.header >= 0,
                entry.header <= start, entry.compressedSize <= start - entry.header
            else { throw ZipDirectory.damaged(file, "byte \(start + place)") }
            places[entry.name] = entries.count
            entries.append(entry)
            place = next
        }
        guard place == bytes.count || !entries.isEmpty else { throw ZipDirectory.damaged(file, "byte \(start)") }
    }

    /// Sizes that do not fit into 32 bits stand in the extra field with the number 1, in this order.
    private static func readLargeSizes(_ bytes: [UInt8], _ extra: Range<Int>, into entry: inout Entry) {
        var place = extra.lowerBound
        while place + 4 <= extra.upperBound {
            let end = place + 4 + bytes.number(place + 2, 2)
            guard end <= extra.upperBound else { return }
            if bytes.number(place, 2) == 1 {
                var field = place + 4
                for path in [\Entry.size, \Entry.compressedSize, \Entry.header]
                where entry[keyPath: path] == 0xFFFF_FFFF && field + 8 <= end {
                    entry[keyPath: path] = bytes.number(field, 8)
                    field += 8
                }
            }
            place = end
        }
    }
}

extension [UInt8] {
    /// Returns an unsigned little-endian number of up to eight bytes; -1 if it has more than 63 bits.
    fileprivate func number(_ place: Int, _ length: Int) -> Int {
        var value: UInt64 = 0
        for offset in 0..<length where place + offset < count {
            value |= UInt64(self[place + offset]) &<< UInt64(8 * offset)
        }
        return Int(exactly: value) ?? -1
    }
}
