/// A chunk as a server keeps it.
public struct ExternalRow: Hashable, Sendable {
    /// The chunk's row in the workspace that it was pushed from.
    public var label: Int64
    /// Vector of the row; empty if it was not requested.
    public var vector: [Float]
    /// The document's id, as its owner calls it.
    public var document: String
    public var title: String
    /// A short name for lists, such as `manual-7 §4`.
    public var caption: String
    public var text: String
    /// The byte of the document's text with which the chunk begins.
    public var place: Int

    public init(
        label: Int64, vector: [Float], document: String = "", title: String = "", caption: String = "",
        text: String = "", place: Int = 0
    ) {
        self.label = label
        self.vector = vector
        self.document = document
        self.title = title
        self.caption = caption
        self.text = text
        self.place = place
    }

    /// Hash of all fields except the label. If the hash differs, the row has changed.
    public var stamp: Int64 {
        var state = vector.withUnsafeBytes { XXH64.hash($0) }
        for part in [document, title, caption, text] {
            var part = part
            state = part.withUTF8 { XXH64.hash(UnsafeRawBufferPointer($0), seed: state) }
        }
        return Int64(bitPattern: XXH64.avalanche(state ^ UInt64(bitPattern: Int64(place))))
    }

    /// As pipelines read it.
    var content: ChunkContent {
        ChunkContent(
            id: label, document: document, label: caption.isEmpty ? document : caption, text: text,
            range: place..<place + text.utf8.count)
    }
}
