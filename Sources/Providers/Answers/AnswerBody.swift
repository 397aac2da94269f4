internal import JSON
internal import LanguageModels
internal import System

/// An answer that is put together from the events of a stream, or from one JSON object.
protocol StreamedAnswer {
    /// Model in error messages.
    var title: String { get }
    /// Whether the stream has announced its end.
    var isOver: Bool { get }
    /// Whether the answer is complete.
    var isWhole: Bool { get }
    /// Remedy if the stream ends too early.
    static var remedyIfCut: String { get }

    /// Adds an event.
    mutating func add(event: JSONNode, _ receive: (ModelEvent) -> Void) throws(LanguageModelError)
    /// Adds an answer that was not streamed.
    mutating func add(whole: JSONNode, _ receive: (ModelEvent) -> Void) throws(LanguageModelError)
    /// Handles an event that is not JSON; returns whether the data is one.
    mutating func addMark(_ data: [UInt8]) -> Bool
}

extension StreamedAnswer {
    mutating func addMark(_ data: [UInt8]) -> Bool { false }

    func violation(_ problem: String, _ remedy: String = "") -> LanguageModelError {
        LanguageModelError(.protocolViolation, model: title, problem: problem, remedy: remedy)
    }
}

extension JSONNode {
    /// A number of tokens; `nil` if the value is not one.
    var tokenCount: Int? { lenientInt.flatMap { (0...1 << 40).contains($0) ? Int($0) : nil } }
}

extension EndpointTransport {
    /// Sends a request and adds the response to an answer.
    ///
    /// - Parameter body: Returns the body of the request.
    func ask<Answer: StreamedAnswer>(
        _ path: String, headers: [(String, String)] = [], _ request: ModelRequest, alternatives: Int = 0,
        isCancelled: () -> Bool, _ answer: inout Answer, _ receive: (ModelEvent) -> Void,
        body: () throws(Problem) -> [UInt8]
    ) throws(LanguageModelError) -> Outcome {
        let content: [UInt8]
        do {
            content = try body()
        } catch {
            throw LanguageModelError(.request, model: answer.title, problem: error.what)
        }
        var reader = AnswerBody<Answer>(
            limits: client.limits,
            mostWhole: AnswerMemory.longestBody(tokens: request.sampling.maximumTokens, alternatives: alternatives))
        let outcome = try send(path, body: content, headers: headers, texts: request.texts, isCancelled: isCancelled) {
            (head, bytes) throws(LanguageModelError) in try reader.take(head, bytes, &answer, receive)
        }
        if case .answered = outcome { try reader.end(&answer, receive) }
        return outcome
    }
}

/// Reads the body of a response: a stream of events, or one JSON object if the server does not stream.
private struct AnswerBody<Answer: StreamedAnswer> {
    private var isWhole: Bool?
    private var events: ServerSentEvents
    private var whole: [UInt8] = []
    private let parser = JSONParser(maximumDepth: 128, maximumValues: 1 << 22)
    private let mostWhole: Int
    private let memory = AnswerMemory.Share(.shared)

    init(limits: HTTPLimits, mostWhole: Int) {
        events = ServerSentEvents(limit: limits.line)
        self.mostWhole = mostWhole
    }

    mutating func take(
        _ head: HTTPHead, _ bytes: UnsafeBufferPointer<UInt8>, _ answer: inout Answer, _ receive: (ModelEvent) -> Void
    ) throws(LanguageModelError) -> Bool {
        if isWhole == nil { isWhole = try Self.isWhole(head, bytes, answer) }
        let isWhole = isWhole == true
        guard memory.take(bytes.count * (isWhole ? AnswerMemory.wholeFactor : AnswerMemory.streamFactor)) else {
            throw AnswerMemory.failure(answer.title)
        }
        if isWhole {
            guard whole.count + bytes.count <= mostWhole else { throw answer.violation("the response is too large") }
            whole.append(contentsOf: bytes)
            return true
        }
        var problem: LanguageModelError?
        var wantsMore = false
        // The closure cannot use self while `events` changes.
        let parser = parser
        do {
            wantsMore = try events.take(bytes) { _, data in
                do throws(LanguageModelError) {
                    try Self.add(event: data, parser, to: &answer, receive)
                } catch {
                    problem = error
                    return false
                }
                return !answer.isOver
            }
        } catch {
            throw problem ?? answer.violation("a stream line is longer than \(events.limit) bytes")
        }
        if let problem { throw problem }
        return wantsMore
    }

    /// Adds what the end of the body completes.
    mutating func end(_ answer: inout Answer, _ receive: (ModelEvent) -> Void) throws(LanguageModelError) {
        if isWhole == true {
            try Self.parse(whole, "the response", parser, answer.title) { (node) throws(LanguageModelError) in
                try answer.add(whole: node, receive)
            }
        } else if !answer.isOver, let data = events.rest() {
            try Self.add(event: data, parser, to: &answer, receive)
        }
        guard answer.isWhole else {
            throw LanguageModelError(
                .connection, model: answer.title, problem: "the stream ended before the response was complete",
                remedy: Answer.remedyIfCut)
        }
    }

    private static func add(
        event data: [UInt8], _ parser: JSONParser, to answer: inout Answer, _ receive: (ModelEvent) -> Void
    ) throws(LanguageModelError) {
        if answer.addMark(data) { return }
        try parse(data, "a stream event", parser, answer.title) { (node) throws(LanguageModelError) in
            try answer.add(event: node, receive)
        }
    }

    private static func parse(
        _ data: [UInt8], _ what: String, _ parser: JSONParser, _ title: String,
        _ body: (JSONNode) throws(LanguageModelError) -> Void
    ) throws(LanguageModelError) {
        try data.withUnsafeBufferPointer { (bytes) throws(LanguageModelError) in
            let node: JSONNode
            do throws(JSONError) {
                node = try parser.parse(bytes)
            } catch {
                throw LanguageModelError(
                    .protocolViolation, model: title, problem: "\(what) is not JSON: \(error.sentence.dropLast())")
            }
            try body(node)
        }
    }

    private static func isWhole(
        _ head: HTTPHead, _ bytes: UnsafeBufferPointer<UInt8>, _ answer: Answer
    ) throws(LanguageModelError) -> Bool {
        switch head.mediaType {
        case "text/event-stream": return false
        case "application/json": return true
        case "text/html":
            throw answer.violation(
                "the server replied with HTML instead of JSON", "Check the address. Most addresses end with /v1.")
        // Some proxies drop the type.
        default: return bytes.first { $0 > 0x20 } == UInt8(ascii: "{")
        }
    }
}
