internal import Glibc
internal import Hashing
internal import JSON
public import LanguageModels
internal import System

/// What a load asks, in turn.
public struct LoadPrompts: Sendable {
    /// One of them.
    public struct Prompt: Hashable, Sendable {
        public var input: ModelRequest.Input
        /// A limit of its own; nil takes that of the load.
        public var maximumTokens: Int?

        public init(_ input: ModelRequest.Input, maximumTokens: Int? = nil) {
            self.input = input
            self.maximumTokens = maximumTokens
        }
    }

    public var prompts: [Prompt]

    public init(_ prompts: [Prompt]) { self.prompts = prompts }

    /// Reads a file of JSON lines, each with `text`, `prompt` or `messages`, and perhaps `tools` and `max_tokens`.
    ///
    /// - Throws: a `.local` error that names the line that cannot be read.
    public init(contentsOf path: String) throws(LanguageModelError) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            throw LanguageModelError(
                .local, model: path, problem: "cannot read the prompts: \(String(cString: strerror(errno)))")
        }
        defer { close(file) }
        let reader = JSONRecordReader(fileDescriptor: file, framing: .lines, maximumRecordBytes: 16 << 20)
        let parser = JSONParser(maximumDepth: 256)
        prompts = []
        var line = 0
        do {
            while let record = try reader.next() {
                line = record.line
                guard record.ending != .oversized else { throw Problem(.limit, "", "the line is longer than 16 MiB") }
                guard prompts.count < Self.most else { throw Problem(.limit, "", "more than \(Self.most) prompts") }
                let node = try parser.parse(record.bytes)
                prompts.append(
                    Prompt(try RequestJSON(node).request.input, maximumTokens: node["max_tokens"]?.int.map(Int.init)))
            }
        } catch {
            let problem = (error as? Problem)?.what ?? (error as? JSONError).map { String($0.sentence.dropLast()) }
            throw LanguageModelError(
                .local, model: path, problem: "line \(line): \(problem ?? "the line cannot be read")",
                remedy: #"Use {"text": "..."} or {"messages": [{"role": "user", "content": "..."}]}."#)
        }
        guard !prompts.isEmpty else {
            throw LanguageModelError(.local, model: path, problem: "the file has no prompts")
        }
    }

    private static let most = 1_000_000

    /// Prompts of given lengths, made of common words by lot: the same seed gives the same prompts.
    ///
    /// No two begin alike, so that a server's cache of prefixes does not make it look faster than it is.
    /// - Parameters:
    ///   - tokens: lengths, taken in turn.
    ///   - count: how many prompts are made.
    ///   - asMessages: each is what a user says; otherwise a text to be gone on with.
    ///   - measure: counts the tokens of a text; without it a word counts as one, which is about right for vocabularies of
    ///     more than 30,000 tokens. What an endpoint counted is reported either way.
    public static func generated(
        tokens: [Int], count: Int, seed: UInt64 = 0, asMessages: Bool = true, measure: ((String) -> Int)? = nil
    ) -> LoadPrompts {
        var random = SplitMix64(state: seed)
        let lengths = tokens.isEmpty ? [128] : tokens
        let prompts = (0..<max(0, count)).map { index in
            let length = max(1, lengths[index % lengths.count])
            let words = Self.words(length, &random)
            let text = fitted(words, length, measure)
            return Prompt(asMessages ? .messages([Message(.user, [.text(text)])], tools: []) : .text(text))
        }
        return LoadPrompts(prompts)
    }

    /// As many of the words as have the wanted number of tokens. O(log n) measurements.
    private static func fitted(_ words: [String], _ length: Int, _ measure: ((String) -> Int)?) -> String {
        guard let measure else { return words.joined(separator: " ") }
        var fits = 1
        var tooMany = words.count + 1
        while tooMany - fits > 1 {
            let middle = (fits + tooMany) / 2
            if measure(words[..<middle].joined(separator: " ")) <= length { fits = middle } else { tooMany = middle }
        }
        return words[..<fits].joined(separator: " ")
    }

    private static func words(_ count: Int, _ random: inout SplitMix64) -> [String] {
        (0..<count).map { _ in vocabulary[Int(random.next() % UInt64(vocabulary.count))] }
    }

    /// Words that most vocabularies have as one token.
    private static let vocabulary = """
        the of and to in that it is was for on are as with his they at be this from have or by one had not but what all
        were when we there can an your which their said if do will each about how up out them then she many some so these
        would other into has more her two like him see time could no make than first been its who now people my made over
        did down only way find use may water long little very after words called just where most know get through back
        much before go good new write our used me man too any day same right look think also around another came come work
        three word must because does part even place well such here take why things help put years different away again
        off went old number great tell men say small every found still between name should home big give air line set own
        under read last never us left end along while might next sound below saw something thought both few those always
        show large often together asked house world going want school important until form food keep children feet land
        side without boy once animals life enough took four head above kind began almost live page got earth need far hand
        """.split { $0 == " " || $0 == "\n" }.map(String.init)
}
