internal import Models
internal import System
internal import Tensors
public import Tokenizers

extension RuntimeModel {
    /// Returns greedy generations on a kept cache: one pass over the prompt, then one per token.
    ///
    /// - Parameters:
    ///   - count: Maximum number of tokens per generation.
    ///   - ends: Tokens that end it and are left out.
    public func greedyAnswers(tokens count: Int, ends: Set<TokenID> = []) -> SteeringEvaluation.Answering {
        { prompt, changes throws(Problem) in
            let visitor = try InterventionVisitor(changes, for: self.configuration)
            let pass = ForwardPass()
            pass.visitor = visitor
            let sequence = ContiguousKeyValues(self.configuration, capacity: prompt.count + count)
            var answer: [TokenID] = []
            var next = prompt
            while answer.count < count {
                let token: TokenID = try telling {
                    let logits = try self.transformer.forward([Segment(next, cache: sequence)], in: pass)
                    let row = logits[logits.rows - 1]
                    return TokenID(row.indices.max { row[$0] < row[$1] } ?? 0)
                }
                if let failure = visitor.failure { throw failure }
                if ends.contains(token) { break }
                answer.append(token)
                next = [token]
            }
            return answer
        }
    }
}
