/// Where in a source the raw bytes of a span, message or event lie.
///
/// Sources are kept whole in the workspace, so that what an importer of today leaves out can be read by one of
/// tomorrow.
public struct RecordReference: Hashable, Sendable {
    /// The source's row in the workspace.
    public var source: Int64
    /// Bytes from the start of the source.
    public var offset: Int
    public var length: Int

    public init(source: Int64, offset: Int, length: Int) {
        self.source = source
        self.offset = offset
        self.length = length
    }
}
