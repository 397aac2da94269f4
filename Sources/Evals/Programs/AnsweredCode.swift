/// The code of an answer, joined with its prompt.
struct AnsweredCode: Hashable, Sendable {
    /// The program without its test.
    let text: String

    /// - Parameters:
    ///   - prompt: Code that the answer continues; empty if the answer is complete.
    ///   - entryPoint: Function that the code must define.
    init(_ answer: String, prompt: String, entryPoint: String) {
        let blocks = Self.blocks(in: answer)
        let definition = "def \(entryPoint)("
        func defines(_ code: String) -> Bool {
            code.split(whereSeparator: \.isNewline).contains {
                $0.hasPrefix(definition) || $0.hasPrefix("async " + definition)
            }
        }
        guard !prompt.isEmpty, !entryPoint.isEmpty else {
            text = blocks.first ?? answer
            return
        }
        let code = blocks.first(where: defines) ?? blocks.first ?? answer
        if defines(code) {
            // A whole function: keep only the part of the prompt above its own function, imports and helpers.
            let above = prompt.split(separator: "\n", omittingEmptySubsequences: false).prefix {
                !$0.hasPrefix(definition) && !$0.hasPrefix("async " + definition)
            }
            text = above.joined(separator: "\n") + "\n" + code
            return
        }
        // The body in a fenced block has lost its indentation; an answer without a fence is used as it is.
        let first = code.split(whereSeparator: \.isNewline).first { !$0.allSatisfy(\.isWhitespace) }
        guard !blocks.isEmpty, let first, first.first?.isWhitespace == false else {
            text = prompt + code
            return
        }
        text =
            prompt
            + code.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "    " + $0 }.joined(separator: "\n")
    }

    /// Returns the code between fences, in order; an unclosed fence extends to the end.
    private static func blocks(in answer: String) -> [String] {
        var blocks: [String] = []
        var block: [Substring]?
        for line in answer.split(separator: "\n", omittingEmptySubsequences: false) {
            let isFence = line.drop { $0 == " " }.hasPrefix("```")
            if let lines = block {
                if isFence {
                    blocks.append(lines.joined(separator: "\n"))
                    block = nil
                } else {
                    block = lines + [line]
                }
            } else if isFence {
                block = []
            }
        }
        if let block, !block.isEmpty { blocks.append(block.joined(separator: "\n")) }
        return blocks
    }
}
