package import LanguageModels
package import Workspace

/// Keeps spans that another module has put into OTLP documents, through the importer as everything else.
package struct SpanDocumentRecorder: Sendable {
    private let keeper: SpanKeeper

    package init(_ workspace: Workspace) { keeper = SpanKeeper(workspace) }

    /// Why the last document was not kept; nil where it was.
    package var problem: String? { keeper.problem }

    /// Imports a document; after this its spans are on the disk.
    package func keep(_ document: [UInt8]) { keeper.keep(document) }

    /// A call of a model as a document with one span, as all calls are recorded.
    ///
    /// - Parameters:
    ///   - trace: 16 bytes as hexadecimal digits.
    ///   - span: 8 bytes as hexadecimal digits.
    package static func document(of call: ModelCall, trace: String, span: String, parent: String?) -> [UInt8] {
        call.otlp(OTLPSpanPlace(trace: trace, span: span, parent: parent), conversation: trace)
    }
}
