internal import Glibc
public import LanguageModels
internal import Synchronization
public import Workspace

/// Keeps a run of an agent as one trace while it is running: a span of the agent at the root, and a span for each call of
/// the model and of a tool as soon as it is over.
///
/// A run that is killed keeps every finished call; its root has no end then.
public final class AgentRunRecorder: AgentRunSink {
    private struct State {
        var beginning: RunStart?
        var trace = ""
        var prompt = PromptPieces()
    }

    private let keeper: SpanKeeper
    private let state = Mutex(State())

    /// A recorder of one run.
    ///
    /// - Parameter project: Project of the run, the agent's working folder.
    public init(_ workspace: Workspace, project: String? = nil) {
        keeper = SpanKeeper(workspace, origin: .agent, project: project)
    }

    /// Why the last span was not saved; `nil` if it was.
    public var problem: String? { keeper.problem }

    /// The trace's id as the trace panel knows it; empty before the run has begun.
    public var trace: String { state.withLock { $0.trace } }

    public func record(_ record: AgentRunRecord) {
        state.withLock { state in
            switch record {
            case .began(let beginning): begin(beginning, &state)
            case .model(let call, let place):
                let pieces = state.prompt.pieces(of: call)
                keeper.keep([
                    call.span(
                        id(place.number, state), below: id(place.parent, state), inTrace: state.trace, pieces: pieces)
                ])
            case .tool(let run, let place):
                keeper.keep([
                    run.span(id(place.number, state), below: id(place.parent, state), inTrace: state.trace)
                ])
            case .ended(let ending):
                guard let beginning = state.beginning else { return }
                keeper.keep([beginning.span(id(0, state), inTrace: state.trace, ending)])
            }
        }
    }

    private func begin(_ beginning: RunStart, _ state: inout State) {
        // Two runs of one question at one moment in two processes are two traces.
        let name = "agent \(beginning.start) \(getpid()) \(beginning.question)"
        state.beginning = beginning
        state.trace = hexadecimal(Digest.of(name)) + hexadecimal(Digest.of(name + " run"))
        keeper.keep([beginning.span(id(0, state), inTrace: state.trace, nil)])
    }

    private func id(_ number: Int, _ state: State) -> String {
        hexadecimal(Digest.of("\(state.trace) \(number)") | 1)
    }
}

/// Splits text prompts into messages: a call of a loop continues where the previous call ended, and their common part
/// is stored once.
struct PromptPieces {
    private var text = ""
    private var messages: [Message] = []
    private var answer = ""

    /// Returns messages whose texts together are the prompt of a call; `nil` if the prompt is not text.
    mutating func pieces(of call: ModelCall) -> [Message]? {
        guard case .text(let prompt) = call.request.input else { return nil }
        var pieces: [Message] = []
        var rest = prompt.utf8[...]
        if !text.isEmpty, prompt.utf8.starts(with: text.utf8) {
            pieces = messages
            rest = rest.dropFirst(text.utf8.count)
            let said = rest.prefix(Self.common(rest, answer.utf8[...]))
            if let turn = String(said), !turn.isEmpty {
                pieces.append(Message(.assistant, [.text(turn)]))
                rest = rest.dropFirst(said.count)
            }
        }
        let role: Role = pieces.isEmpty ? .user : .tool
        if let added = String(rest) {
            if !added.isEmpty { pieces.append(Message(role, [.text(added)])) }
        } else {
            // The texts part within a character: one message holds them all.
            pieces = [Message(.user, [.text(prompt)])]
        }
        (text, messages, answer) = (prompt, pieces, "")
        if case .success(let response) = call.outcome {
            answer = response.message.parts.compactMap { if case .text(let text) = $0 { text } else { nil } }.joined()
        }
        return pieces
    }

    private static func common(_ one: Substring.UTF8View, _ other: Substring.UTF8View) -> Int {
        zip(one, other).prefix { $0 == $1 }.count
    }
}
