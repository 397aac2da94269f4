/// The files in a ZIP archive, read from its central directory.
///
/// Sizes and offsets are checked against the archive before memory is allocated. Strict rules also refuse whatever two
/// readers could understand differently: duplicate names, entries that share bytes, local headers with other names,
/// and sizes that deflate cannot reach, so that a small file cannot request all memory.
package struct ZipDirectory<Source: ZipSource>: Sendable {
    package enum Rules: Sendable {
        /// Rules for archives of arrays: at most a million entries, each of them stored or deflated.
        case strict
        /// Rules for archives that their program extends while they are read: later entries replace earlier ones of the same
        /// name, and each entry is checked when it is opened.
        case lenient
    }

    package let source: Source
    package private(set) var entries: [ZipEntry] = []
    /// Indexes in `entries` by name; of duplicates, the last.
    package private(set) var places: [String: Int] = [:]
    private let isStrict: Bool

    /// Maximum number of entries under strict rules.
    private static var maximumEntries: Int { 1 << 20 }
    /// Maximum size of a directory under lenient rules: five million entries.
    private static var maximumBytes: Int { 512 << 20 }

    package init(_ source: Source, rules: Rules) throws(Source.Failure) {
        self.source = source
        isStrict = rules == .strict
        let end = try ZipEnd(source, isStrict: isStrict)
        try checkSize(end)
        let start = end.directory.lowerBound
        entries = try source.withBytes(end.directory) { (bytes) throws(Source.Failure) in
            try read(bytes, at: start, count: end.count)
        }
        places = Dictionary(entries.indices.map { (entries[$0].name, $0) }) { $1 }
        if isStrict { try refuseOverlaps() }
    }

    package subscript(name: String) -> ZipEntry? { places[name].map { entries[$0] } }

    private func failure(
        _ offset: Int, _ what: String, _ kind: ZipProblem.Kind = .header, entry: String? = nil
    ) -> Source.Failure {
        source.failure(ZipProblem(kind, offset, what, entry: entry))
    }

    private func checkSize(_ end: ZipEnd) throws(Source.Failure) {
        let (offset, size) = (end.directory.lowerBound, end.directory.count)
        guard isStrict || size <= Self.maximumBytes else {
            throw failure(
                offset, "the zip directory has \(size) bytes; at most \(Self.maximumBytes) are allowed", .limit)
        }
        // Every entry takes at least 46 bytes, so a false count cannot request more memory than the file size.
        guard !isStrict || end.count <= size / ZipFormat.centralLength else {
            throw failure(offset, "the zip directory of \(size) bytes is too small for \(end.count) entries")
        }
        guard !isStrict || end.count <= Self.maximumEntries else {
            throw failure(
                offset, "the zip has \(end.count) entries; at most \(Self.maximumEntries) are allowed", .limit)
        }
    }

    private func read(
        _ bytes: UnsafeRawBufferPointer, at start: Int, count: Int
    ) throws(Source.Failure) -> [ZipEntry] {
        var entries: [ZipEntry] = []
        if isStrict { entries.reserveCapacity(count) }
        var place = 0
        var names: Set<String> = []
        while isStrict ? entries.count < count : startsEntry(bytes, place) {
            let (entry, next) = try entry(bytes, place, at: start)
            if isStrict, !names.insert(entry.name).inserted {
                throw failure(start + place, "duplicate zip entry \(entry.name)")
            }
            entries.append(entry)
            place = next
        }
        guard place == bytes.count || !isStrict && !entries.isEmpty else {
            throw failure(start + place, "unexpected bytes between the last entry and the end of the zip")
        }
        return entries
    }

    private func startsEntry(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> Bool {
        place + ZipFormat.centralLength <= bytes.count
            && bytes.littleEndian(place, as: UInt32.self) == ZipFormat.centralHeader
    }

    private func entry(
        _ bytes: UnsafeRawBufferPointer, _ place: Int, at start: Int
    ) throws(Source.Failure) -> (ZipEntry, next: Int) {
        guard startsEntry(bytes, place) else { throw failure(start + place, "expected an entry of the zip directory") }
        func length(_ field: Int) -> Int { Int(bytes.littleEndian(place + field, as: UInt16.self)) }
        let nameStart = place + ZipFormat.centralLength
        let extra = nameStart + length(28)..<nameStart + length(28) + length(30)
        let next = extra.upperBound + length(32)
        guard next <= bytes.count else { throw failure(start + place, "an entry exceeds the zip directory") }
        let rawName = UnsafeRawBufferPointer(rebasing: bytes[nameStart..<extra.lowerBound])
        var entry = ZipEntry(
            name: String(decoding: rawName, as: UTF8.self),
            methodNumber: bytes.littleEndian(place + 10, as: UInt16.self),
            flags: bytes.littleEndian(place + 8, as: UInt16.self),
            checksum: bytes.littleEndian(place + 16, as: UInt32.self), packedSize: 0, size: 0, header: 0)
        if isStrict { try refuseUnsupported(entry, start + place) }
        try readSizes(bytes, place, extra, at: start, into: &entry)
        if isStrict {
            try checkStrictly(entry, rawName, start + place, directory: start)
        } else if entry.header > start || entry.packedSize > start - entry.header {
            throw failure(
                start + place, "has \(entry.packedSize) packed bytes, which overlap the zip directory",
                entry: entry.name)
        }
        return (entry, next)
    }

    /// Reads sizes and offset; a field of four bytes that is too small has its number in the extra field (APPNOTE 4.5.3:
    /// the extra field has only these numbers, in this order).
    private func readSizes(
        _ bytes: UnsafeRawBufferPointer, _ place: Int, _ extra: Range<Int>, at start: Int, into entry: inout ZipEntry
    ) throws(Source.Failure) {
        let short = [24, 20, 42].map { bytes.littleEndian(place + $0, as: UInt32.self) }
        var sizes = short.map { Int($0) }
        var isMissing = short.contains(ZipFormat.escape32)
        var field = extra.lowerBound
        while isMissing, field + 4 <= extra.upperBound {
            let end = field + 4 + Int(bytes.littleEndian(field + 2, as: UInt16.self))
            guard end <= extra.upperBound else { break }
            if bytes.littleEndian(field, as: UInt16.self) == ZipFormat.extra64 {
                var cursor = field + 4
                for index in short.indices where short[index] == ZipFormat.escape32 {
                    guard cursor + 8 <= end else {
                        if isStrict { throw failure(start + field, "the ZIP64 sizes of an entry are incomplete") }
                        break
                    }
                    sizes[index] = try source.fileSize(
                        bytes.littleEndian(cursor, as: UInt64.self), at: start + cursor)
                    cursor += 8
                }
                isMissing = false
            }
            field = end
        }
        guard !isMissing || !isStrict else {
            throw failure(start + extra.lowerBound, "the ZIP64 sizes of an entry are missing")
        }
        (entry.size, entry.packedSize, entry.header) = (sizes[0], sizes[1], sizes[2])
    }

    // MARK: Strict rules

    private func refuseUnsupported(_ entry: ZipEntry, _ offset: Int) throws(Source.Failure) {
        guard !entry.isEncrypted else { throw failure(offset, "is encrypted", .unsupported, entry: entry.name) }
        guard entry.method == .stored || entry.method == .deflated else {
            throw failure(
                offset,
                "uses compression method \(entry.methodNumber); only stored (0) and deflate (8) are supported",
                .unsupported,
                entry: entry.name)
        }
    }

    private func checkStrictly(
        _ entry: ZipEntry, _ rawName: UnsafeRawBufferPointer, _ offset: Int, directory: Int
    ) throws(Source.Failure) {
        guard entry.header <= directory - ZipFormat.localLength else {
            throw failure(entry.header, "does not start where the zip directory says", entry: entry.name)
        }
        let start = try source.dataStart(of: entry)
        let isSame = try source.withBytes(entry.header..<min(start, directory)) { (local) throws(Source.Failure) in
            let name = local.dropFirst(ZipFormat.localLength).prefix(rawName.count)
            return start <= directory && Int(local.littleEndian(26, as: UInt16.self)) == rawName.count
                && name.elementsEqual(rawName)
        }
        guard isSame else {
            throw failure(
                entry.header, "the zip directory and the entry have different names for \(entry.name)")
        }
        guard entry.packedSize <= directory - start else {
            throw failure(
                offset, "has \(entry.packedSize) packed bytes, which overlap the zip directory", entry: entry.name)
        }
        let fits =
            entry.method == .stored
            ? entry.size == entry.packedSize : entry.size / ZipFormat.bestRatio <= entry.packedSize
        guard fits else {
            throw failure(
                offset,
                "has \(entry.size) bytes, which is impossible for \(entry.packedSize) packed bytes", .limit,
                entry: entry.name)
        }
    }

    /// Refuses entries that share packed bytes, with which a small archive can decompress to a huge one.
    private func refuseOverlaps() throws(Source.Failure) {
        var ranges: [(start: Int, entry: ZipEntry)] = []
        for entry in entries { ranges.append((try source.dataStart(of: entry), entry)) }
        ranges.sort { ($0.start, $0.entry.packedSize) < ($1.start, $1.entry.packedSize) }
        for (one, next) in zip(ranges, ranges.dropFirst()) where one.start + one.entry.packedSize > next.start {
            throw failure(next.start, "\(one.entry.name) and \(next.entry.name) overlap in the zip")
        }
    }
}

extension ZipSource {
    /// Returns the offset of an entry's packed bytes, which follow its local header: the header's extra field has its own
    /// length.
    package func dataStart(of entry: ZipEntry) throws(Failure) -> Int {
        let wrong = ZipProblem(.header, entry.header, "does not start where the zip directory says", entry: entry.name)
        guard entry.header <= count - ZipFormat.localLength else { throw failure(wrong) }
        let end = entry.header + ZipFormat.localLength
        return try withBytes(entry.header..<end) { (local) throws(Failure) in
            guard local.littleEndian(0, as: UInt32.self) == ZipFormat.localHeader else { throw failure(wrong) }
            return end + Int(local.littleEndian(26, as: UInt16.self)) + Int(local.littleEndian(28, as: UInt16.self))
        }
    }
}
