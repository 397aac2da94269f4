internal import Console
internal import Formatting

extension AttentionPage {
    /// Formulas of the visible quantities, with checks of sums that must equal a total.
    var sums: [StyledLine] {
        guard let look, look.request.token == token else { return [] }
        var lines: [StyledLine] = []
        lines.append(
            formula(
                look.request.isWeighted
                    ? "W[q,k] = A[q,k]·|v_k| / Σ_k A[q,k]·|v_k|" : "A[q,k] = softmax_k(q·k / √e + mask)"))
        if let weights = look.attended {
            lines.append(check("Σ_k of query \(token)", weights.reduce(0) { $0 + Double($1) }, of: 1))
        } else {
            lines.append(StyledLine("not stored: the weights of query \(token)", .faint))
        }
        if let definition = look.definitions[measure] { lines.append(formula("\(measure.title): \(definition)")) }
        if let share = look.share {
            lines.append(formula("attention to \(Self.text(share.range)) = Σ_heads Σ_{k in range} A[q,k]"))
            if let weights = look.attended, !look.request.isWeighted, share.range.upperBound <= weights.count {
                let inside = weights[share.range].reduce(0) { $0 + Double($1) }
                let rest = weights.reduce(0) { $0 + Double($1) } - inside
                lines.append(
                    check(
                        "\(headName): inside \(Format.fixed(inside, digits: 4)) + outside \(Format.fixed(rest, digits: 4))",
                        inside + rest, of: 1))
            }
        }
        if look.lens != nil {
            lines.append(formula("lens: p = softmax(norm(h_l) W_U), the model's own norm and unembedding"))
        }
        if let routing = look.routing {
            let column = token - look.firstPosition
            let total = (0..<routing.rows).reduce(0.0) { sum, row in
                let value = routing[row, column]
                return value.isNaN ? sum : sum + Double(value)
            }
            lines.append(check("Σ experts of token \(token)", total, of: 1))
        }
        if let divergence = looks?.divergence {
            lines.append(formula("KL = Σ_v p_A(v) (log p_A(v) - log p_B(v)), nats, on B's text"))
            let values = divergence.values.filter(\.isFinite).map(Double.init)
            if !values.isEmpty {
                lines.append(
                    check(
                        "mean of \(values.count) tokens", values.reduce(0, +) / Double(values.count),
                        of: divergence.mean))
            }
        }
        return lines
    }

    private func formula(_ text: String) -> StyledLine { StyledLine(text, .dim) }

    /// Returns a line that checks a sum. Weights are 32-bit numbers, so a sum of thousands of them is exact to about
    /// four digits.
    private func check(_ name: String, _ value: Double, of expected: Double) -> StyledLine {
        let holds = abs(value - expected) <= 1e-3 * max(1, abs(expected))
        var line = StyledLine("\(name) = ", .text)
        line.append(Format.fixed(value, digits: 5), .strong)
        line.append(holds ? "  ✓" : "  ✗ expected \(Format.fixed(expected, digits: 5))", holds ? .success : .failure)
        return line
    }
}
