// Names under which logs of evaluations make the documents of their samples.

package typealias OTLPSpanDocument = SpanRecord
package typealias OTLPAttributeWriter = SpanRecord
package typealias OTLPText = MessageText

extension SpanRecord {
    package init(
        trace: String, span: String, parent: String?, name: String, kind: Int, start: Int64, end: Int64?, status: Status
    ) {
        self.init(trace: trace, span: span, parent: parent, name: name, start: start, end: end, status: status)
    }

    /// Returns the span as a document, with the attributes that `write` adds.
    package func bytes(_ write: (inout SpanRecord) -> Void) -> [UInt8] {
        var span = self
        write(&span)
        return OTLPDocument([span]).bytes
    }
}
