import LanguageModels
import Providers
import Synchronization
import System

/// Bytes of whole HTTP answers.
enum Answer {
    static func json(_ body: String, status: String = "200 OK", headers: String = "") -> String {
        "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
            + "Connection: close\r\n\(headers)\r\n\(body)"
    }

    /// A stream that ends with the connection.
    static func stream(_ body: String) -> String { streamHead + body }

    static let streamHead =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
    static let chunkedHead =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n"

    /// One chunk of a chat completion that adds text.
    static func delta(_ text: String) -> String {
        #"data: {"choices":[{"index":0,"delta":{"content":"\#(text)"}}]}"# + "\n\n"
    }

    static let stop = #"data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"# + "\n\ndata: [DONE]\n\n"
}

/// Settings of a test: variables, a clock that sleeps in no time, no luck.
struct Setting: Sendable {
    let clock = SimulatedClock(epoch: 784_111_777_000_000_000)
    var variables: [String: String] = [:]
    var lot = 0.5

    var environment: ProviderEnvironment {
        let (variables, lot) = (variables, lot)
        return ProviderEnvironment(variable: { variables[$0] }, clock: clock.clock, random: { lot })
    }
}

extension LanguageModel {
    /// Returns the response and all events.
    func collect(
        _ request: ModelRequest, isCancelled: @Sendable () -> Bool = { false }
    ) throws -> (response: ModelResponse, events: [ModelEvent]) {
        var events: [ModelEvent] = []
        let response = try respond(to: request, isCancelled: isCancelled) { events.append($0) }
        return (response, events)
    }

    /// Returns the error; `nil` if the request succeeded.
    func failure(_ request: ModelRequest) -> LanguageModelError? {
        do throws(LanguageModelError) {
            _ = try respond(to: request)
            return nil
        } catch {
            return error
        }
    }
}

extension ModelRequest {
    static func user(_ text: String, sampling: Sampling = Sampling(), alternatives: Int = 0) -> ModelRequest {
        ModelRequest(
            .messages([Message(.user, [.text(text)])], tools: []), sampling: sampling, alternatives: alternatives)
    }
}

extension ModelResponse {
    /// The text parts together.
    var text: String {
        message.parts.map { if case .text(let text) = $0 { text } else { "" } }.joined()
    }
}

extension [ModelEvent] {
    var steps: [TokenStep] { compactMap { if case .token(let step) = $0 { step } else { nil } } }
    var reasoning: String { map { if case .reasoning(let text) = $0 { text } else { "" } }.joined() }
    var calls: [ToolCall] { compactMap { if case .toolCall(let call) = $0 { call } else { nil } } }
}

/// A value that a test sets from one thread and reads from another.
final class Shared<Value: Sendable>: Sendable {
    private let value: Mutex<Value>
    init(_ value: Value) { self.value = Mutex(value) }
    var current: Value { value.withLock { $0 } }
    func set(_ new: Value) { value.withLock { $0 = new } }
}
