/// Location of a ZIP archive's central directory, from the records at the end of the archive.
struct ZipEnd {
    /// Offset and length of the central directory, in bytes.
    private(set) var directory: Range<Int>
    /// Number of entries according to the end record.
    private(set) var count: Int

    init<Source: ZipSource>(_ source: Source, isStrict: Bool) throws(Source.Failure) {
        // Read once: another program may shrink the file at any time.
        let size = source.count
        let start = max(0, size - 65_535 - ZipFormat.endLength - ZipFormat.locatorLength)
        let record = try source.withBytes(start..<size) { (tail) throws(Source.Failure) in
            guard let end = Self.find(tail, isStrict) else {
                throw source.failure(ZipProblem(.noEnd, size, "the zip's end record is missing"))
            }
            return EndRecord(tail, end, start: start)
        }
        var (length, offset, limit) = (Int(record.size), Int(record.offset), record.place)
        count = Int(record.count)
        if record.isEscaped, isStrict || record.locator != nil {
            (offset, length, count, limit) = try Self.large(record, source, isStrict)
        } else if isStrict, record.disks != 0 || record.countHere != record.count {
            throw source.failure(ZipProblem(.header, limit, "a zip split over several files is unsupported"))
        }
        guard offset <= limit, isStrict ? length == limit - offset : length <= limit - offset else {
            throw source.failure(
                ZipProblem(
                    .header, record.place, "the zip directory of \(length) bytes at \(offset) does not end at \(limit)")
            )
        }
        directory = offset..<offset + length
    }

    /// Returns the place of the last end record; a comment of up to 65,535 bytes can follow it.
    ///
    /// In a strict archive the comment ends with the file.
    private static func find(_ tail: UnsafeRawBufferPointer, _ isStrict: Bool) -> Int? {
        var place = tail.count - ZipFormat.endLength
        while place >= 0 {
            if tail.littleEndian(place, as: UInt32.self) == ZipFormat.end {
                let end = place + ZipFormat.endLength + Int(tail.littleEndian(place + 20, as: UInt16.self))
                if isStrict ? end == tail.count : end <= tail.count { return place }
            }
            place -= 1
        }
        return nil
    }

    private struct EndRecord {
        var place: Int
        var disks: UInt16
        var countHere: UInt16
        var count: UInt16
        var size: UInt32
        var offset: UInt32
        /// The record before the end record that points to the ZIP64 end record.
        var locator: (place: Int, disk: UInt32, record: UInt64, disks: UInt32)?

        var isEscaped: Bool {
            count == ZipFormat.escape16 || size == ZipFormat.escape32 || offset == ZipFormat.escape32
        }

        init(_ tail: UnsafeRawBufferPointer, _ end: Int, start: Int) {
            place = start + end
            disks = tail.littleEndian(end + 4, as: UInt16.self) | tail.littleEndian(end + 6, as: UInt16.self)
            countHere = tail.littleEndian(end + 8, as: UInt16.self)
            count = tail.littleEndian(end + 10, as: UInt16.self)
            size = tail.littleEndian(end + 12, as: UInt32.self)
            offset = tail.littleEndian(end + 16, as: UInt32.self)
            let before = end - ZipFormat.locatorLength
            guard before >= 0, tail.littleEndian(before, as: UInt32.self) == ZipFormat.end64Locator else { return }
            locator = (
                start + before, tail.littleEndian(before + 4, as: UInt32.self),
                tail.littleEndian(before + 8, as: UInt64.self), tail.littleEndian(before + 16, as: UInt32.self)
            )
        }
    }

    /// Reads the ZIP64 end record of an archive larger than 4 GiB or with more than 65,535 entries.
    private static func large<Source: ZipSource>(
        _ end: EndRecord, _ source: Source, _ isStrict: Bool
    ) throws(Source.Failure) -> (offset: Int, size: Int, count: Int, limit: Int) {
        func failure(_ offset: Int, _ what: String) -> Source.Failure {
            source.failure(ZipProblem(.header, offset, what))
        }
        guard let locator = end.locator else { throw failure(end.place, "the ZIP64 end record is missing") }
        let room = locator.place - ZipFormat.end64Length
        guard room >= 0, locator.record <= UInt64(room) else {
            throw failure(locator.place, "the ZIP64 end record does not precede its locator")
        }
        let place = Int(locator.record)
        return try source.withBytes(place..<place + ZipFormat.end64Length) { (record) throws(Source.Failure) in
            guard record.littleEndian(0, as: UInt32.self) == ZipFormat.end64,
                !isStrict || record.littleEndian(4, as: UInt64.self) == UInt64(locator.place - place - 12)
            else { throw failure(place, "the ZIP64 end record is not where its locator points") }
            let count = record.littleEndian(32, as: UInt64.self)
            guard
                !isStrict
                    || locator.disk == 0 && locator.disks == 1 && record.littleEndian(16, as: UInt64.self) == 0
                        && record.littleEndian(24, as: UInt64.self) == count
            else { throw failure(place, "a zip split over several files is unsupported") }
            func size(_ field: Int) throws(Source.Failure) -> Int {
                try source.fileSize(record.littleEndian(field, as: UInt64.self), at: place + field)
            }
            return (try size(48), try size(40), try size(32), place)
        }
    }
}

extension ZipSource {
    /// Returns a size or an offset of eight bytes, which must fit into a file.
    func fileSize(_ value: UInt64, at offset: Int) throws(Failure) -> Int {
        guard value < 1 << 56 else {
            throw failure(ZipProblem(.limit, offset, "the number \(value) exceeds any file size"))
        }
        return Int(value)
    }
}
