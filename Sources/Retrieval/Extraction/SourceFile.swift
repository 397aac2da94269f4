internal import Glibc
public import System
internal import Traces

/// A file that can be read, before it is.
public struct SourceFile: Equatable, Sendable {
    /// As it can be opened.
    public var path: String
    /// Below the root that was given, or the file's own name: the document's identifier.
    public var name: String
    public var size: Int
    /// Nanoseconds since 1970 at which it was last written.
    public var modified: Int64
    public var kind: SourceKind

    /// The name without folders.
    var lastComponent: Substring {
        name.utf8.lastIndex(of: UInt8(ascii: "/")).map { name[name.index(after: $0)...] } ?? name[...]
    }

    /// Suffix in lower case, with its dot; empty if there is no suffix.
    var suffix: String { Self.suffix(of: lastComponent) }

    /// Default title of a document without its own.
    var stem: String {
        let last = lastComponent
        let ending = suffix
        return String(ending.utf8.count < last.utf8.count ? last.dropLast(ending.count) : last)
    }

    static func suffix(of name: Substring) -> String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        return name[dot...].lowercased()
    }
}

/// The files below a path, and what was passed over.
public struct SourceListing: Sendable {
    /// Files in the order of their names.
    public var files: [SourceFile] = []
    /// Only what was skipped.
    public var report = ExtractionReport()
    /// All files' bytes.
    public var bytes: Int { files.reduce(0) { $0 + $1.size } }
}

/// An open file, closed with the value's owner.
final class OpenFile {
    let descriptor: Int32
    let path: String
    let status: stat

    init(_ path: String) throws(Problem) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            let reason = String(cString: strerror(errno))
            if descriptor >= 0 { close(descriptor) }
            throw Problem(.failed, path, "cannot be opened: \(reason)", remedy: "Check the path and its permissions.")
        }
        self.status = status
    }

    deinit { close(descriptor) }

    /// Fills the buffer as far as the file goes.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Problem) -> Int {
        var filled = 0
        while filled < buffer.count {
            let count = Glibc.read(descriptor, buffer.baseAddress! + filled, buffer.count - filled)
            if count == 0 { break }
            if count < 0 {
                if errno == EINTR { continue }
                throw Problem(
                    .failed, path, "reading failed at byte \(filled): \(String(cString: strerror(errno)))",
                    remedy: "Check the disk, then add the file again.")
            }
            filled += count
        }
        return filled
    }

    /// Calls `body` with the whole file, or with `nil` if it is longer than `most` bytes.
    func withBytes<R>(most: Int, _ body: (UnsafeBufferPointer<UInt8>?) throws -> R) throws -> R {
        let size = Int(status.st_size)
        guard size <= most else { return try body(nil) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, size), alignment: 16)
        defer { buffer.deallocate() }
        let count = try read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<size]))
        return try body(
            UnsafeBufferPointer(start: buffer.baseAddress!.assumingMemoryBound(to: UInt8.self), count: count))
    }
}

extension Extraction {
    /// Returns the digest of a file's bytes, which shows whether the file has changed. O(size), 1 MiB of memory.
    public static func digest(of file: SourceFile) throws(Problem) -> UInt64 {
        let open = try OpenFile(file.path)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { buffer.deallocate() }
        var digest = Digest()
        while case let count = try open.read(into: buffer), count > 0 {
            digest.add(
                UnsafeBufferPointer(start: buffer.baseAddress!.assumingMemoryBound(to: UInt8.self), count: count))
            if count < buffer.count { break }
        }
        return digest.value == 0 ? 1 : digest.value
    }
}

extension SourceDocument {
    /// The digest of title, text and metadata, the same on every machine: documents with the same one need no new
    /// chunks and no new vectors.
    public var digest: UInt64 {
        var digest = Digest()
        digest.add(title)
        digest.add(text)
        for (name, value) in metadata.sorted(by: { $0.key < $1.key }) {
            digest.add(name)
            switch value {
            case .text(let text): digest.add(text)
            case .number(let number): digest.add(number.bitPattern)
            case .bool(let bool): digest.add(bool ? 1 : 2)
            case .date(let date): digest.add(UInt64(bitPattern: date))
            case .texts(let texts):
                digest.add(UInt64(texts.count))
                for text in texts { digest.add(text) }
            }
        }
        return digest.value == 0 ? 1 : digest.value
    }
}
