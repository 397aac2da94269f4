internal import CArchive

/// The bytes of one entry of a ZIP archive, decompressed piece by piece.
final class ZipEntryReader {
    private let handle: OpaquePointer
    private let file: LogFile
    private let name: String

    init(_ entry: ZipDirectory.Entry, in file: LogFile) throws(EvalLogError) {
        func failure(_ problem: String, _ remedy: String = "") -> EvalLogError {
            EvalLogError(path: file.path, place: entry.name, problem: problem, remedy: remedy)
        }
        if let problem = orrery_archive_problem() {
            throw EvalLogError(path: file.path, problem: String(cString: problem))
        }
        if entry.flags & 1 != 0 { throw failure("encrypted entries are unsupported") }
        if entry.size > ZipEntryReader.trusted, entry.size / ZipEntryReader.densest > entry.compressedSize {
            throw failure(
                "\(entry.compressedSize) bytes would expand to \(entry.size >> 20) MiB, an implausible ratio for a log")
        }
        let header = try file.bytes(entry.header..<(entry.header + 30))
        guard header.count == 30, header.starts(with: [0x50, 0x4B, 3, 4]) else {
            throw failure("the local header is corrupt")
        }
        // The lengths of name and extra field may differ from the directory's.
        let start =
            entry.header + 30 + (Int(header[26]) | Int(header[27]) << 8) + (Int(header[28]) | Int(header[29]) << 8)
        guard start <= file.size - entry.compressedSize else { throw failure("the entry is truncated") }
        var place = orrery_archive_place(
            file: file.descriptor, offset: Int64(start), compressed_size: Int64(entry.compressedSize),
            size: Int64(entry.size), crc32: entry.crc32, method: entry.method)
        guard let handle = orrery_archive_open(&place) else { throw failure("not enough memory") }
        self.handle = handle
        self.file = file
        name = entry.name
    }

    /// Decompressed size up to which any compression ratio is accepted; larger entries have a limit.
    private static let trusted = 256 << 20
    private static let densest = 400

    deinit { orrery_archive_close(handle) }

    /// Fills a buffer; fewer bytes only at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(EvalLogError) -> Int {
        guard buffer.count > 0 else { return 0 }
        let count = orrery_archive_read(handle, buffer.baseAddress!.assumingMemoryBound(to: UInt8.self), buffer.count)
        if count < 0 {
            throw EvalLogError(
                path: file.path, place: name,
                problem: "cannot decompress the entry: \(String(cString: orrery_archive_message(handle)))")
        }
        return Int(count)
    }
}

extension ZipDirectory {
    /// All bytes of an entry.
    ///
    /// - Parameter most: An entry that says it is longer, or turns out to be, is refused before it takes memory.
    func bytes(of entry: Entry, most: Int = LogJSON.most) throws(EvalLogError) -> [UInt8] {
        guard entry.size <= most else {
            throw EvalLogError(
                path: file.path, place: entry.name,
                problem: "the entry decompresses to \(entry.size >> 20) MiB, above the \(most >> 20) MiB limit")
        }
        let reader = try ZipEntryReader(entry, in: file)
        var failure: EvalLogError?
        let bytes = [UInt8](unsafeUninitializedCapacity: entry.size) { buffer, count in
            do throws(EvalLogError) { count = try reader.read(into: UnsafeMutableRawBufferPointer(buffer)) } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }
}
