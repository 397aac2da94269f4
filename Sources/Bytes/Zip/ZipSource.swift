/// Random access to the bytes of an archive, mapped into memory or read on demand.
package protocol ZipSource: Sendable {
    associatedtype Failure: Error

    /// Current number of bytes.
    var count: Int { get }

    /// Lends the bytes of a range.
    ///
    /// - Throws: `Failure` if the archive has fewer bytes, and the errors of `body`.
    func withBytes<R>(
        _ range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws(Failure) -> R
    ) throws(Failure) -> R

    /// Returns the error for a problem with the archive.
    func failure(_ problem: ZipProblem) -> Failure
}

/// A problem with a ZIP archive, which each `ZipSource` turns into its own error.
package struct ZipProblem: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The archive has no end record: it is truncated, or another program is still writing it.
        case noEnd
        /// A header breaks a rule of the format.
        case header
        /// An encrypted entry or an unsupported compression method.
        case unsupported
        /// A size that is out of range.
        case limit
        /// Content that does not match its header.
        case damaged
        /// Not enough memory for the decompressor.
        case memory
    }

    package var kind: Kind
    package var offset: Int
    /// Name of the affected entry, if it is the subject of `what`.
    package var entry: String?
    /// Description, without a final period.
    package var what: String

    init(_ kind: Kind, _ offset: Int, _ what: String, entry: String? = nil) {
        self.kind = kind
        self.offset = offset
        self.entry = entry
        self.what = what
    }

    /// Description that starts with the name of the affected entry.
    package var sentence: String { entry.map { "\($0) \(what)" } ?? what }
}
