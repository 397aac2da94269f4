public import Providers

extension ProviderSpecification {
    /// Specification for runs: answers arrive whole (except the longest of Anthropic's interface, which are streamed),
    /// and failures return at once, so that the run itself waits and shows the wait.
    public var forRuns: ProviderSpecification {
        switch self {
        case .openAI(var endpoint):
            endpoint.retries = 0
            endpoint.streams = false
            return .openAI(endpoint)
        case .anthropic(var endpoint):
            endpoint.retries = 0
            endpoint.streams = false
            return .anthropic(endpoint)
        case .program, .scripted, .replay, .local: return self
        }
    }
}
