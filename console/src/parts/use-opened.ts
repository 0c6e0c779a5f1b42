import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/** State of a dialog that links can open too, as those of the palette do: by its name as `open` in the address. */
export function useOpened(name: string): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const [isOpen, setOpen] = useState(false);
  const { open }: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  useEffect(() => {
    if (open !== name) return;
    setOpen(true);
    void navigate({ to: '.', search: (now) => ({ ...now, open: undefined }), replace: true });
  }, [open, name, navigate]);
  return [isOpen, setOpen];
}
