internal import Bytes

extension LogFile: ZipSource {
    var count: Int { size }

    func withBytes<R>(
        _ range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws(EvalLogError) -> R
    ) throws(EvalLogError) -> R {
        try wholeBytes(range).withRawBytes(body)
    }

    func failure(_ problem: ZipProblem) -> EvalLogError {
        guard problem.kind != .noEnd else {
            return EvalLogError(
                path: path, problem: "the ZIP archive has no central directory",
                remedy: "The file is truncated or still being written. Open it again later.")
        }
        return EvalLogError(
            path: path, place: problem.entry ?? "byte \(problem.offset)",
            problem: problem.entry == nil ? problem.what : "the entry \(problem.what)",
            remedy: problem.kind == .unsupported
                ? "Pack the log again with deflate or Zstandard, and without a password."
                : problem.kind == .memory ? "Free memory, then open it again." : "Replace it with an intact copy.")
    }
}

extension ZipDirectory<LogFile> {
    /// Decompressed size up to which any compression ratio is accepted; larger entries have a limit.
    private static var trusted: Int { 256 << 20 }
    private static var densest: Int { 400 }

    /// Opens an entry, unless it claims a size that no log has.
    func member(_ entry: ZipEntry) throws(EvalLogError) -> ZipMember<LogFile> {
        guard entry.size <= Self.trusted || entry.size / Self.densest <= entry.packedSize else {
            throw EvalLogError(
                path: source.path, place: entry.name,
                problem: "\(entry.packedSize) bytes would expand to \(entry.size >> 20) MiB, an implausible ratio for "
                    + "a log")
        }
        return try ZipMember(entry, in: source)
    }

    /// Returns all bytes of an entry.
    ///
    /// - Parameter most: Maximum size; a larger entry is refused before it takes memory.
    func bytes(of entry: ZipEntry, most: Int = LogJSON.most) throws(EvalLogError) -> [UInt8] {
        guard entry.size <= most else {
            throw EvalLogError(
                path: source.path, place: entry.name,
                problem: "the entry decompresses to \(entry.size >> 20) MiB, above the \(most >> 20) MiB limit")
        }
        let member = try member(entry)
        return try [UInt8](filling: entry.size) { (buffer) throws(EvalLogError) in try member.readAvailable(buffer) }
    }
}
