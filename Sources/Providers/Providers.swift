public import LanguageModels
internal import System

/// Makes models of specifications.
public enum Providers {
    /// The model that a specification names. Nothing is opened or asked yet, except what `local` does.
    ///
    /// - Parameter local: makes the model in this process that a path or name stands for.
    /// - Throws: `LanguageModelError`, and what `local` throws.
    public static func make(
        _ specification: ProviderSpecification, environment: ProviderEnvironment = .process,
        local: (String) throws -> any LanguageModel
    ) throws -> any LanguageModel {
        switch specification {
        case .openAI(let endpoint): OpenAIModel(try moved(endpoint, environment), environment: environment)
        case .anthropic(let endpoint): AnthropicModel(try moved(endpoint, environment), environment: environment)
        case .program(let words): ProgramModel(words, clock: environment.clock)
        case .scripted(let text): ScriptedModel([.text(text)], repeats: true, clock: environment.clock)
        case .replay(let path): try ReplayModel(contentsOf: path, clock: environment.clock)
        case .local(let name): try local(name)
        }
    }

    /// The names of the models that an endpoint lists, sorted.
    public static func models(
        of specification: ProviderSpecification, environment: ProviderEnvironment = .process,
        isCancelled: @Sendable () -> Bool = { false }
    ) throws(LanguageModelError) -> [String] {
        switch specification {
        case .openAI(let endpoint), .anthropic(let endpoint):
            return try EndpointTransport(try moved(endpoint, environment), environment: environment)
                .models(isCancelled: isCancelled)
        default:
            throw LanguageModelError(
                .request, model: specification.shortName, problem: "only endpoints list models",
                remedy: "Use an address, or openai:, anthropic:, or ollama: with any name.")
        }
    }

    /// A preset whose own variable moves it to another address is asked there.
    private static func moved(
        _ endpoint: Endpoint, _ environment: ProviderEnvironment
    ) throws(LanguageModelError) -> Endpoint {
        guard let preset = endpoint.preset, let name = preset.addressVariable, endpoint.address == preset.address,
            let address = environment.value(name)
        else { return endpoint }
        var moved = endpoint
        do throws(Problem) {
            var base = try ProviderSpecification.base(address)
            // Anthropic's own clients put /v1 behind every address.
            if preset == .anthropic, !base.contains("?"), !base.hasSuffix("/v1") { base += "/v1" }
            moved.address = base
            let parts = try WebAddress(base)
            guard parts.isEncrypted || parts.isLoopback || endpoint.keyVariable == nil else {
                throw Problem(.invalid, "", "the key would be sent unencrypted. Use an address with https://")
            }
        } catch {
            throw LanguageModelError(
                .request, model: endpoint.title, problem: "\(name): \(error.what)", remedy: "Correct or unset \(name).")
        }
        return moved
    }
}
