package import LanguageModels

extension ModelCall {
    /// The call as an OTLP document with one span, as all calls are recorded.
    ///
    /// - Parameters:
    ///   - trace: 16 bytes as hexadecimal digits.
    ///   - span: 8 bytes as hexadecimal digits.
    package func document(inTrace trace: String, span: String, parent: String?) -> [UInt8] {
        otlp(OTLPSpanPlace(trace: trace, span: span, parent: parent), conversation: trace)
    }
}
