import { useState } from 'preact/hooks';
import { signIn, signInReason } from '../session.ts';

/** Asks for an access token; it stays in this tab. */
export function SignInPage() {
  const [secret, setSecret] = useState('');
  const submit = (event: Event): void => {
    event.preventDefault();
    if (secret.trim() !== '') signIn(secret.trim());
  };
  return (
    <section class="card sign-in" aria-label="Sign in">
      <h1>Sign in</h1>
      <p>{signInReason.value}</p>
      <form class="form" onSubmit={submit}>
        <label>
          Access token
          <input
            type="password"
            autoComplete="off"
            value={secret}
            onInput={(event) => setSecret(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary" disabled={secret.trim() === ''}>
          Sign in
        </button>
      </form>
      <p class="faint">
        It is kept in this tab until you close it. An admin makes one with{' '}
        <code>batchyard token create</code>.
      </p>
    </section>
  );
}
