internal import LanguageModels

extension RunSchedule {
    /// Beginning of the reason why a budget of tokens or dollars cannot be enforced.
    private static let untold = "a response reported no token count, so a budget in "

    /// Sentence about the exhausted budget; `nil` if there is none.
    var spentBudget: String? {
        if let already = alreadySpent { return already }
        if let most = budget.requests, spent.requests >= most { return "the budget of \(most) requests is exhausted" }
        if let most = budget.tokens, spent.usage.total >= most { return "the budget of \(most) tokens is exhausted" }
        if let most = budget.cost, let cost = spent.cost, cost >= most { return "the budget of $\(most) is exhausted" }
        if budget.tokens != nil, spent.isUntold { return Self.untold + "tokens cannot be enforced" }
        if budget.cost != nil, spent.isUntold { return Self.untold + "dollars cannot be enforced" }
        if budget.cost != nil, spent.cost == nil {
            return "the model has no price in the table, so a budget in dollars cannot be enforced"
        }
        return nil
    }

    /// Sentence about a budget that was exhausted before the run resumed; `nil` if there is none.
    private var alreadySpent: String? {
        let before = spentBefore
        if let most = budget.requests, before.requests >= most {
            return "the budget of \(most) requests is exhausted: earlier runs used \(before.requests)"
        }
        if let most = budget.tokens, before.usage.total >= most {
            return "the budget of \(most) tokens is exhausted: earlier runs used \(before.usage.total)"
        }
        if let most = budget.cost, let cost = before.cost, cost >= most {
            return "the budget of $\(most) is exhausted: earlier runs spent $\(Self.dollars(cost))"
        }
        if let most = budget.seconds, before.seconds >= most {
            return "the budget of \(most) seconds is exhausted: earlier runs used \(Int(before.seconds)) s"
        }
        return nil
    }

    /// Rounds to four decimals.
    private static func dollars(_ cost: Double) -> Double { Double(Int(min(cost, 1e9) * 10_000)) / 10_000 }

    /// Whether the budget has room for one more sample in addition to those in flight, each counted as the most expensive so
    /// far.
    ///
    /// Before the first answer, a sample counts as one request. If tokens or dollars are limited, it runs alone, since
    /// its usage is unknown.
    var hasBudget: Bool {
        guard working > 0 else { return true }
        if most == nil, budget.tokens != nil || budget.cost != nil { return false }
        func room(_ limit: Double?, _ now: Double, _ each: Double) -> Bool {
            limit.map { now + Double(working) * each < $0 } ?? true
        }
        return room(budget.requests.map(Double.init), Double(spent.requests), Double(max(1, most?.requests ?? 1)))
            && room(budget.tokens.map(Double.init), Double(spent.usage.total), Double(most?.usage.total ?? 0))
            && room(budget.cost, spent.cost ?? 0, most?.cost ?? 0)
    }

    /// Overrun of the budget by samples in flight, in words; `nil` if there is none.
    package var overrun: String? {
        guard alreadySpent == nil else { return nil }
        func over(_ spent: Double, _ limit: Double, _ text: String) -> String? {
            guard spent > limit * 1.000001, limit > 0 else { return nil }
            return "\(text), \(Int(min((spent / limit - 1) * 100, 1e9).rounded(.up))) % over the budget"
        }
        if let limit = budget.requests, let text = over(Double(spent.requests), Double(limit), "\(spent.requests)") {
            return text
        }
        if let limit = budget.tokens, let text = over(Double(spent.usage.total), Double(limit), "\(spent.usage.total)")
        {
            return text
        }
        if let limit = budget.cost, let cost = spent.cost {
            if let text = over(cost, limit, "$\(Self.dollars(cost))") { return text }
        }
        // Samples in flight are cut off at the limit, which takes a moment.
        if let limit = budget.seconds, spent.seconds > limit + 1 {
            return over(spent.seconds, limit, "\(Int(spent.seconds)) seconds")
        }
        return nil
    }

    /// Returns a duration such as `2 h` or `90 min`, for any number.
    static func words(seconds: Double) -> String {
        guard seconds < 1e9 else { return "more than 30 years" }
        let minutes = Int((seconds / 60).rounded(.up))
        if minutes < 120 { return "\(minutes) min" }
        let hours = Int((seconds / 3600).rounded(.up))
        return hours < 72 ? "\(hours) h" : "\((hours + 23) / 24) days"
    }
}
