public import Providers

extension ProviderSpecification {
    /// The same model as runs ask it: answers come whole (of Anthropic's interface those that may
    /// be longest are streamed all the same), and what fails comes back at once, so that the run itself
    /// waits where everybody sees it.
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
