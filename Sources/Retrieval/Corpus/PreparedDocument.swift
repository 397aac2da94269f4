internal import Workspace

/// A document that is ready to be written: cut, digested and compressed before the transaction begins.
struct PreparedDocument {
    var source: SourceDocument
    var namespace: String
    var digest: ContentDigest
    var language: String
    var metadata: [String: MetadataValue]
    var bytes: Int
    var chunks: [Chunk]
    /// Compressed pieces of the text with the bytes that each holds.
    var pieces: [(bytes: Int, data: [UInt8])]

    struct Chunk {
        var range: Range<Int>
        /// The place of its parent among the chunks.
        var parent: Int?
        var isIndexed: Bool
        var texts: ChunkTexts
        var digest: ContentDigest
    }

    /// Bytes of text in one row: reading one chunk of a long document need not read all of it.
    static let pieceBytes = 4 << 20

    /// Returns the digest of all that a document is, as far as a corpus keeps it.
    static func digest(_ source: SourceDocument, _ metadata: [String: MetadataValue]) -> ContentDigest {
        var words = metadata.keys.sorted().map { key in "\(key)\u{1}\(metadata[key]!)" }
        words.append(source.kind.rawValue)
        return ContentDigest(source.title, source.text, words.joined(separator: "\u{2}"))
    }
}

/// Makes documents ready to be written.
final class DocumentPreparation {
    private let chunker: any Chunker
    private let compressor: Compressor

    init(_ settings: CorpusSettings, embedder: (any Embedder)?) throws {
        let embed = embedder.map { embedder in
            { @Sendable (texts: [String]) throws -> [[Float]] in
                let width = embedder.dimension
                let rows = try embedder.embed(texts, as: .passage) { false }
                return texts.indices.map { Array(rows[$0 * width..<($0 + 1) * width]) }
            }
        }
        chunker = try settings.chunkerOptions().chunker(embed: embed)
        compressor = try Compressor()
    }

    func callAsFunction(
        _ source: SourceDocument, namespace: String, metadata: [String: MetadataValue], digest: ContentDigest
    ) throws -> PreparedDocument {
        let spans = try chunker.chunks(of: source)
        var chunks: [PreparedDocument.Chunk] = []
        chunks.reserveCapacity(spans.count)
        for span in spans {
            let texts = ChunkTexts(
                title: source.title, heading: span.headings.joined(separator: " › "),
                text: source.text.bytes(span.range), kind: source.kind)
            chunks.append(
                PreparedDocument.Chunk(
                    range: span.range, parent: span.parent, isIndexed: !span.isParent, texts: texts,
                    digest: texts.digest))
        }
        if chunks.isEmpty, !source.title.isEmpty || source.text.isEmpty {
            // A record without text is still found by its title.
            let texts = ChunkTexts(title: source.title, heading: "", text: "", kind: source.kind)
            chunks = [.init(range: 0..<0, parent: nil, isIndexed: true, texts: texts, digest: texts.digest)]
        }
        return PreparedDocument(
            source: source, namespace: namespace, digest: digest,
            language: Self.language(source.text), metadata: metadata,
            bytes: source.text.utf8.count, chunks: chunks, pieces: try pieces(source.text))
    }

    /// Returns the language of the beginning of a text, which is enough; empty if the guess is not confident enough.
    private static func language(_ text: String) -> String {
        let beginning = text.utf8.count > 4_096 ? text.bytes(0..<4_096) : text
        guard let guess = LanguageIdentifier.standard.identify(beginning), guess.confidence >= 0.65 else { return "" }
        return guess.code
    }

    private func pieces(_ text: String) throws -> [(bytes: Int, data: [UInt8])] {
        var text = text
        return try text.withUTF8 { utf8 in
            var pieces: [(bytes: Int, data: [UInt8])] = []
            let raw = UnsafeRawBufferPointer(utf8)
            for first in stride(from: 0, to: raw.count, by: PreparedDocument.pieceBytes) {
                let piece = raw[first..<min(raw.count, first + PreparedDocument.pieceBytes)]
                pieces.append((piece.count, try compressor.compress(UnsafeRawBufferPointer(rebasing: piece))))
            }
            return pieces
        }
    }
}
