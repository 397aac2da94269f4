import Bytes
import Evals
import Inference
import JSON
import LanguageModels
import ModelLab
import Providers
import TestFixtures
import Testing
import Traces
import Workspace

/// Proves that a new sampler needs one file and one line that adds it to a table.
@Suite("A sampler declared outside the modules")
struct SamplerTableTests {
    private static let table = SamplerTable.standard.adding(LogitGap.sampler)

    private var sampling: Sampling {
        var sampling = Sampling(topK: 4, minP: 0.01, seed: 7)
        sampling[LogitGap.field] = .number(1.5)
        return sampling
    }

    @Test("the sampler truncates candidates; a bad value or a table without the sampler is an error")
    func sampled() throws {
        let chain = try ProcessorChain(sampling, samplers: Self.table)
        #expect(chain.processors.map(\.name) == ["top-k 4", "min-p 0.01", "logit gap 1.5"])
        var row: [Float] = [3, 2, 1, 0, -1]
        let choice = try row.withUnsafeMutableBufferPointer {
            try TokenChooser(vocabularySize: 5).choose(
                $0, chain, after: TokenHistory(), random: CounterRandom(seed: 1), alternatives: 5, showsStages: true)
        }
        #expect(choice.stages.map(\.remaining) == [4, 4, 2])

        var invalid = sampling
        invalid[LogitGap.field] = .number(-1)
        #expect {
            try ProcessorChain(invalid, samplers: Self.table)
        } throws: {
            "\($0)".contains("logit gap -1.0 is out of range")
        }
        #expect {
            try ProcessorChain(sampling)
        } throws: {
            "\($0)".contains("unknown sampler \"logit_gap\"")
        }
    }

    @Test("requests to external programs contain the setting, and reading them restores it")
    func sent() throws {
        let request = ModelRequest(.text("x"), sampling: sampling)
        var json = JSONWriter()
        RequestJSON(request).write(to: &json)
        #expect(json.text == #"{"text":"x","sampling":{"top_k":4,"min_p":0.01,"logit_gap":1.5,"seed":7}}"#)
        let read = try JSONDocument(parsing: json.text).withRoot { try RequestJSON($0).request }
        #expect(read == request)
        #expect(read.sampling[LogitGap.field] == .number(1.5))
    }

    @Test("spans record the setting, and reading them restores it")
    func recorded() throws {
        let folder = TemporaryFolder()
        let workspace = try Workspace.open(folder.file("w.orrery"), migrations: TraceStore.migrations, create: true)
        let recorder = ModelCallRecorder(workspace, conversation: "gap", origin: .chat)
        recorder.record(
            ModelCall(
                provider: "in-process", model: "mini", request: ModelRequest(.text("x"), sampling: sampling),
                start: 1_790_000_000_000_000_000, end: 1_790_000_001_000_000_000,
                outcome: .success(
                    ModelResponse(
                        message: Message(.assistant, [.text("y")]), finish: .stop, usage: nil, model: "mini",
                        secondsToFirstToken: nil, seconds: 1))))
        #expect(recorder.problem == nil)
        let store = TraceStore(workspace)
        let trace = try #require(try store.trace(store.find("#1").id))
        #expect(try store.inside(of: trace.spans[0]).sampling == sampling)
    }

    @Test("packed eval requests contain the setting; requests without it have the same bytes as before")
    func packed() throws {
        let bytes = sampling.packed
        let read = try bytes.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            return try reader.next(Sampling.self)
        }
        #expect(read == sampling)
        var plain = sampling
        plain.extras = [:]
        let other = plain.packed
        #expect(bytes.suffix(other.count) == other[...])
        // Flags and values of the standard fields, then bias, stop sequences, seed, and token limit.
        #expect(other.prefix(4) == [0, 1, 8, 0])
    }

    @Test("prompt files and forms contain the setting")
    func prompts() throws {
        let document = PromptDocument(model: "m", input: .text("x"), sampling: sampling)
        #expect(document.text.contains("\nmin_p = 0.01\nlogit_gap = 1.5\nseed = 7\n"))
        #expect(try PromptDocument(text: document.text, samplers: Self.table) == document)
        #expect(document.settingsLine.contains("logit_gap 1.5"))
        #expect {
            try PromptDocument(text: document.text)
        } throws: {
            "\($0)".contains("unknown setting \"logit_gap\"")
        }
        let setting = try #require(
            document.settings(isLocal: true, samplers: Self.table).first { $0.name == "logit_gap" })
        #expect(setting.value == "1.5" && setting.defaultText == "all tokens" && setting.allowed == "0 to 100")
        #expect(setting.check("101") == "logit_gap must be a number from 0.0 to 100.0, not 101")
        #expect(setting.check("2") == nil)
    }
}
