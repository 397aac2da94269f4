/// The files in a zip archive, read from its central directory.
///
/// It is strict: whatever two readers could understand differently is refused. Sizes and offsets are checked against
/// the file before anything is allocated, entries may not share bytes, and none may claim to unpack to more than
/// deflate can hold, so that a small file cannot ask for all memory.
struct ZipDirectory {
    private(set) var entries: [ZipEntry] = []
    private let file: MappedFile

    /// Limit for the members of an archive of arrays.
    static let maximumEntries = 1 << 20

    init(_ file: MappedFile) throws(TensorFileError) {
        self.file = file
        let (offset, size, count) = try locate()
        // Every entry takes at least 46 bytes, so a false count cannot request more memory than the file size.
        guard count <= size / ZipFormat.centralLength else {
            throw failure(offset, "the zip directory of \(size) bytes is too small for \(count) entries")
        }
        guard count <= Self.maximumEntries else {
            throw TensorFileError(
                file: file.path, offset: offset,
                problem: .limit("the zip has \(count) entries; at most \(Self.maximumEntries) are allowed"))
        }
        entries.reserveCapacity(count)
        var position = offset
        var names: Set<String> = []
        for _ in 0..<count {
            let (entry, next) = try entry(at: position, directory: offset, end: offset + size)
            guard names.insert(entry.name).inserted else {
                throw failure(position, "duplicate zip entry \(entry.name)")
            }
            entries.append(entry)
            position = next
        }
        guard position == offset + size else {
            throw failure(position, "unexpected bytes between the last entry and the end of the zip")
        }
        try refuseOverlaps()
    }

    private func failure(_ offset: Int, _ problem: String) -> TensorFileError {
        TensorFileError(file: file.path, offset: offset, problem: .header(problem))
    }

    // MARK: The end record

    /// Where the central directory is, by the record at the end of the file.
    private func locate() throws(TensorFileError) -> (offset: Int, size: Int, count: Int) {
        let bytes = file.bytes
        let end = try endRecord()
        let disks = bytes.littleEndian(end + 4, as: UInt16.self) | bytes.littleEndian(end + 6, as: UInt16.self)
        let countHere = bytes.littleEndian(end + 8, as: UInt16.self)
        let count = bytes.littleEndian(end + 10, as: UInt16.self)
        let size = bytes.littleEndian(end + 12, as: UInt32.self)
        let offset = bytes.littleEndian(end + 16, as: UInt32.self)
        let place: (offset: Int, size: Int, count: Int)
        var limit = end
        if count == ZipFormat.escape16 || size == ZipFormat.escape32 || offset == ZipFormat.escape32 {
            (place, limit) = try large(end)
        } else {
            guard disks == 0, countHere == count else {
                throw failure(
                    end,
                    "a zip split over several files is unsupported")
            }
            place = (Int(offset), Int(size), Int(count))
        }
        guard place.offset <= limit, place.size == limit - place.offset else {
            throw failure(end, "the zip directory of \(place.size) bytes at \(place.offset) does not end at \(limit)")
        }
        return place
    }

    /// The end record may be followed by a comment of up to 65,535 bytes, whose length it knows.
    private func endRecord() throws(TensorFileError) -> Int {
        let bytes = file.bytes
        var position = bytes.count - ZipFormat.endLength
        let first = max(0, position - 65_535)
        while position >= first {
            if bytes.littleEndian(position, as: UInt32.self) == ZipFormat.end,
                Int(bytes.littleEndian(position + 20, as: UInt16.self)) == bytes.count - position - ZipFormat.endLength
            {
                return position
            }
            position -= 1
        }
        throw TensorFileError(
            file: file.path, offset: bytes.count, problem: .damaged("the zip's end record is missing"))
    }

    /// The same numbers in eight bytes, for archives past 4 GiB or 65,535 entries.
    private func large(_ end: Int) throws(TensorFileError) -> ((offset: Int, size: Int, count: Int), limit: Int) {
        let bytes = file.bytes
        let locator = end - ZipFormat.locatorLength
        guard locator >= 0, bytes.littleEndian(locator, as: UInt32.self) == ZipFormat.end64Locator else {
            throw failure(end, "the ZIP64 end record is missing")
        }
        let place = bytes.littleEndian(locator + 8, as: UInt64.self)
        guard locator >= ZipFormat.end64Length, place <= UInt64(locator - ZipFormat.end64Length) else {
            throw failure(locator, "the ZIP64 end record does not precede its locator")
        }
        let record = Int(place)
        guard bytes.littleEndian(record, as: UInt32.self) == ZipFormat.end64,
            bytes.littleEndian(record + 4, as: UInt64.self) == UInt64(locator - record - 12)
        else { throw failure(record, "the ZIP64 end record is not where its locator points") }
        guard bytes.littleEndian(locator + 4, as: UInt32.self) == 0,
            bytes.littleEndian(locator + 16, as: UInt32.self) == 1,
            bytes.littleEndian(record + 16, as: UInt64.self) == 0,
            bytes.littleEndian(record + 24, as: UInt64.self) == bytes.littleEndian(record + 32, as: UInt64.self)
        else { throw failure(record, "a zip split over several files is unsupported") }
        let count = try size(bytes.littleEndian(record + 32, as: UInt64.self), record + 32)
        let length = try size(bytes.littleEndian(record + 40, as: UInt64.self), record + 40)
        let offset = try size(bytes.littleEndian(record + 48, as: UInt64.self), record + 48)
        return ((offset, length, count), record)
    }

    private func size(_ value: UInt64, _ offset: Int) throws(TensorFileError) -> Int {
        guard value < 1 << 56 else {
            throw TensorFileError(
                file: file.path, offset: offset, problem: .limit("the number \(value) exceeds any file size"))
        }
        return Int(value)
    }

    // MARK: Entries

    private func entry(
        at position: Int, directory: Int, end: Int
    ) throws(TensorFileError) -> (ZipEntry, next: Int) {
        let bytes = file.bytes
        guard position + ZipFormat.centralLength <= end,
            bytes.littleEndian(position, as: UInt32.self) == ZipFormat.centralHeader
        else { throw failure(position, "expected an entry of the zip directory") }
        let flags = bytes.littleEndian(position + 8, as: UInt16.self)
        let method = bytes.littleEndian(position + 10, as: UInt16.self)
        let nameLength = Int(bytes.littleEndian(position + 28, as: UInt16.self))
        let extraLength = Int(bytes.littleEndian(position + 30, as: UInt16.self))
        let commentLength = Int(bytes.littleEndian(position + 32, as: UInt16.self))
        let nameStart = position + ZipFormat.centralLength
        let next = nameStart + nameLength + extraLength + commentLength
        guard next <= end else { throw failure(position, "an entry exceeds the zip directory") }
        let name = String(decoding: bytes[nameStart..<(nameStart + nameLength)], as: UTF8.self)

        guard flags & ZipFormat.encryptedFlag == 0 else { throw packing(position, "\(name) is encrypted") }
        guard let method = ZipEntry.Method(rawValue: method) else {
            throw packing(
                position,
                "\(name) uses compression method \(method); only stored (0) and deflate (8) are supported")
        }
        let sizes = try sizes(at: position, extra: nameStart + nameLength, length: extraLength)
        let offset = try dataOffset(
            of: name, nameLength: nameLength, central: nameStart, local: sizes.local, directory: directory)
        guard sizes.packed <= directory - offset else {
            throw failure(position, "\(name) has \(sizes.packed) packed bytes, which overlap the zip directory")
        }
        let fits =
            switch method {
            case .stored: sizes.size == sizes.packed
            case .deflated: sizes.size / ZipFormat.bestRatio <= sizes.packed
            }
        guard fits else {
            throw TensorFileError(
                file: file.path, offset: position,
                problem: .limit(
                    "\(name) has \(sizes.size) bytes, which is impossible for \(sizes.packed) packed bytes"))
        }
        let entry = ZipEntry(
            name: name, method: method, checksum: bytes.littleEndian(position + 16, as: UInt32.self),
            packedSize: sizes.packed, size: sizes.size, offset: offset)
        return (entry, next)
    }

    private func packing(_ offset: Int, _ problem: String) -> TensorFileError {
        TensorFileError(file: file.path, offset: offset, problem: .packing(problem))
    }

    /// Sizes and offset, from the extra field where four bytes are not enough (APPNOTE 4.5.3: only those that are
    /// escaped are there, in this order).
    private func sizes(
        at position: Int, extra: Int, length: Int
    ) throws(TensorFileError) -> (size: Int, packed: Int, local: Int) {
        let bytes = file.bytes
        let short = [24, 20, 42].map { bytes.littleEndian(position + $0, as: UInt32.self) }
        var sizes = short.map { Int($0) }
        guard short.contains(ZipFormat.escape32) else { return (sizes[0], sizes[1], sizes[2]) }
        var field = extra
        while field + 4 <= extra + length {
            let kind = bytes.littleEndian(field, as: UInt16.self)
            let end = field + 4 + Int(bytes.littleEndian(field + 2, as: UInt16.self))
            guard end <= extra + length else { break }
            if kind == ZipFormat.extra64 {
                var cursor = field + 4
                for index in short.indices where short[index] == ZipFormat.escape32 {
                    guard cursor + 8 <= end else { throw failure(field, "the ZIP64 sizes of an entry are incomplete") }
                    sizes[index] = try size(bytes.littleEndian(cursor, as: UInt64.self), cursor)
                    cursor += 8
                }
                return (sizes[0], sizes[1], sizes[2])
            }
            field = end
        }
        throw failure(extra, "the ZIP64 sizes of an entry are missing")
    }

    /// Where an entry's packed bytes begin: after its local header, whose extra field has a length of its own.
    private func dataOffset(
        of name: String, nameLength: Int, central: Int, local: Int, directory: Int
    ) throws(TensorFileError) -> Int {
        let bytes = file.bytes
        guard local <= directory - ZipFormat.localLength,
            bytes.littleEndian(local, as: UInt32.self) == ZipFormat.localHeader
        else { throw failure(local, "\(name) does not start where the zip directory says") }
        let start = local + ZipFormat.localLength
        let extraLength = Int(bytes.littleEndian(local + 28, as: UInt16.self))
        guard Int(bytes.littleEndian(local + 26, as: UInt16.self)) == nameLength,
            start + nameLength + extraLength <= directory,
            bytes[start..<(start + nameLength)].elementsEqual(bytes[central..<(central + nameLength)])
        else { throw failure(local, "the zip directory and the entry have different names for \(name)") }
        return start + nameLength + extraLength
    }

    /// Entries that share packed bytes are how a small archive unpacks to a huge one.
    private func refuseOverlaps() throws(TensorFileError) {
        let sorted = entries.sorted { ($0.offset, $0.packedSize) < ($1.offset, $1.packedSize) }
        for (entry, next) in zip(sorted, sorted.dropFirst()) where entry.offset + entry.packedSize > next.offset {
            throw failure(next.offset, "\(entry.name) and \(next.name) overlap in the zip")
        }
    }
}
